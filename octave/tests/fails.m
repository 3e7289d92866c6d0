## f () ends in an error.
function yes = fails (f)
  yes = false;
  try
    f ();
  catch
    yes = true;
  end_try_catch
endfunction
