## f answers for matrices on the device as for Octave's own, or both times by the same error. With a count: f has as many results.
function yes = alike (f, args, count = 1)
  [want, why] = answers (f, args, count);
  [got, reason] = answers (f, cellfun (@tesela, args, "UniformOutput", false), count);
  yes = strcmp (why, reason) && all (cellfun (@same, got, want));
  if (! yes)
    printf ("# %s of %s: %s\n", disp_name (f), disp (cellfun (@size, args, "UniformOutput", false)), [why, " / ", reason]);
  endif
endfunction

function [out, why] = answers (f, args, count)
  out = cell (1, count);
  why = "an answer";
  try
    [out{:}] = feval (f, args{:});
  catch problem
    out = {};
    why = problem.message;
  end_try_catch
endfunction

function yes = same (got, want)
  got = gather (got);
  if (iscell (want))
    yes = iscell (got) && isequal (size (got), size (want)) && all (cellfun (@same, got, want)(:));
  elseif (isstruct (want))
    yes = isstruct (got) && isequal (fieldnames (got), fieldnames (want)) && same (struct2cell (got), struct2cell (want));
  else
    yes = near (got, want);
  endif
endfunction

function text = disp_name (f)
  text = f;
  if (! ischar (f))
    text = func2str (f);
  endif
endfunction
