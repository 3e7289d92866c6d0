"""Runs a program that needs JAX and libtesela_jax, or says which is not here. Usage: with_jax.py PROGRAM"""

import runpy
import sys

try:
    import jax  # noqa: F401
except ImportError:
    print("1..0 # SKIP no jax here")
    sys.exit(77)
try:
    from tesela.jax._library import register

    register()
except ImportError as why:
    if not str(why).startswith("tesela.jax:"):  # libtesela itself
        raise
    print("1..0 # SKIP no libtesela_jax here")
    sys.exit(77)
runpy.run_path(sys.argv[1], run_name="__main__")
