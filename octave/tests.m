## Tests of the package: octave-cli --path inst --path src tests.m, after make in src. TAP on standard output.
folder = fullfile (fileparts (mfilename ("fullpath")), "tests");
addpath (folder);
global count failed
count = failed = 0;
rand ("seed", 1);
for part = {"arithmetic", "indices", "of_matrices", "values"}
  source (fullfile (folder, [part{1} ".m"]));
endfor
printf ("1..%d\n", count);
exit (failed > 0);
