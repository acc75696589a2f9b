"""Serves a GGUF file with llama.cpp's own HTTP server on 127.0.0.1 until its standard input is closed.

llama_server.py MODEL PORT WINDOW ALIAS [TEMPLATE]
With "--no-jinja" in place of the template it has none, and refuses tools.
"""

import sys

import xllamacpp

model, port, window, alias, *template = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {alias}
params.port = int(port)
params.n_ctx = int(window)
params.n_parallel = 1
params.use_jinja = template != ["--no-jinja"]
params.warmup = False
# Several threads wait for each other in loops, which is slow where the processors have other work.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.endpoint_props = True
for file in template if params.use_jinja else []:
    with open(file, encoding="utf-8") as text:
        params.chat_template = text.read()

server = xllamacpp.Server(params)
print("listening", flush=True)
sys.stdin.read()
