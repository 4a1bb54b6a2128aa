"""A slurmrestd for benchmarks: serves two files as lists, and takes changes of nodes.

usage: server.py DIRECTORY   prints its port; nodes.json and jobs.json are in the directory
"""
import http.server
import json
import os
import pathlib
import re
import sys

UNCHANGED = json.dumps({
    "jobs": [], "last_update": {"set": True, "infinite": False, "number": 0}, "errors": [],
    "warnings": [{"description": "No job changes since update_time"}]}).encode()
REFUSED = json.dumps({"errors": [{"error_number": 2018, "error": "Invalid node name specified",
                                  "description": "Failure to update node"}]}).encode()
DONE = json.dumps({"errors": [], "warnings": []}).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one piece
    disable_nagle_algorithm = True
    directory = None

    def log_message(self, *_):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        part = path.rstrip("/").rpartition("/")[2]
        if part not in ("nodes", "jobs"):
            self.answer(404, b"no such path")
        elif "update_time" in query:
            self.answer(*((304,) if part == "nodes" else (200, UNCHANGED)))
        else:
            self.send_file(self.directory / f"{part}.json")

    def send_file(self, path):
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(size))
            self.end_headers()
            self.wfile.flush()
            sent = 0
            while sent < size:
                sent += os.sendfile(self.connection.fileno(), file.fileno(), sent, size - sent)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        unknown = re.search("nosuch", ",".join(body.get("name", [])))
        self.answer(*((422, REFUSED) if unknown else (200, DONE)))


def main(directory):
    Handler.directory = pathlib.Path(directory)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
