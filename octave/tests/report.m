## One line of TAP; tests.m counts them.
function report (good, text)
  global count failed
  count++;
  failed += ! good;
  printf ("%s %d - %s\n", {"not ok", "ok"}{1 + logical (good)}, count, text);
endfunction
