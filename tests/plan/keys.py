"""Parses Python code, and prints the keys of its dictionaries: keys.py FILE"""

import ast
import sys

with open(sys.argv[1], encoding="utf-8") as code:
    for node in ast.walk(ast.parse(code.read())):
        for key in node.keys if isinstance(node, ast.Dict) else ():
            print(ascii(ast.literal_eval(key)))
