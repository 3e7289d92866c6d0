/* Is a text one JSON value, by the grammar of RFC 8259 and nothing else? */
#ifndef JSON_H
#define JSON_H

#include <ctype.h>
#include <string.h>

static inline const char *json_blank(const char *s) { return s + strspn(s, " \t\r\n"); }

/* Each of these returns what follows the value, NULL where there is none. */
static inline const char *json_string(const char *s)
{
    if (*s++ != '"') return NULL;
    for (; *s != '"'; ++s) {
        if ((unsigned char)*s < ' ') return NULL; /* the text's end is one of these */
        if (*s != '\\') continue;
        if (!*++s || !strchr("\"\\/bfnrtu", *s)) return NULL;
        for (int i = 0; *s == 'u' && i < 4; ++i)
            if (!isxdigit((unsigned char)s[1 + i])) return NULL;
    }
    return s + 1;
}

static inline const char *json_number(const char *s)
{
    static const char digits[] = "0123456789";
    s += *s == '-';
    size_t whole = strspn(s, digits);
    if (!whole || (*s == '0' && whole > 1)) return NULL;
    s += whole;
    if (*s == '.') {
        size_t part = strspn(++s, digits);
        if (!part) return NULL;
        s += part;
    }
    if (*s == 'e' || *s == 'E') {
        s += 1 + (s[1] == '+' || s[1] == '-');
        size_t power = strspn(s, digits);
        if (!power) return NULL;
        s += power;
    }
    return s;
}

static inline const char *json_value(const char *s, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; ++i)
        if (!strncmp(s, words[i], strlen(words[i]))) return s + strlen(words[i]);
    if (*s == '"') return json_string(s);
    if (*s != '[' && *s != '{') return json_number(s);
    char close = *s == '[' ? ']' : '}';
    if (depth == 100) return NULL;
    s = json_blank(s + 1);
    if (*s == close) return s + 1;
    for (;;) {
        if (close == '}') {
            s = json_string(s);
            if (!s || *(s = json_blank(s)) != ':') return NULL;
            s = json_blank(s + 1);
        }
        s = json_value(s, depth + 1);
        if (!s) return NULL;
        s = json_blank(s);
        if (*s == close) return s + 1;
        if (*s != ',') return NULL;
        s = json_blank(s + 1);
    }
}

static inline int json_valid(const char *text)
{
    const char *end = json_value(json_blank(text), 0);
    return end && !*json_blank(end);
}

#endif
