#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stand-ins on loopback for what hands out credentials: instance metadata (version 2 only), the
container endpoint, STS, the SSO portal and its token service. Each gives keys of its own name: AKIMDS, AKCONTAINER ...
with the same secret and token, which no one else has. Statuses in the file LOG.busy, a line each, are what the next answers are instead.
Usage: cloud.py PORT_FILE LOG"""
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

SECRET, TOKEN = "cloud-secret-key", "cloud-session-token"


def later(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def plain(name):
    return {"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "AK" + name, "SecretAccessKey": SECRET,
            "Token": TOKEN, "Expiration": later(3600), "LastUpdated": later(0)}


def assumed(action, name):
    return (f'<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{action}Result><Credentials>'
            f"<AccessKeyId>AK{name}</AccessKeyId><SecretAccessKey>{SECRET}</SecretAccessKey><SessionToken>{TOKEN}</SessionToken>"
            f"<Expiration>{later(3600)}</Expiration></Credentials></{action}Result></{action}Response>")


class Cloud(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, kind="application/json"):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def busy(self):
        try:
            with open(sys.argv[2] + ".busy", encoding="utf-8") as file:
                statuses = file.read().split()
        except FileNotFoundError:
            return False
        if not statuses:
            return False
        with open(sys.argv[2] + ".busy", "w", encoding="utf-8") as file:
            file.write("\n".join(statuses[1:]))
        self.answer(int(statuses[0]), {"message": "busy"})
        return True

    def do_PUT(self):
        if self.path == "/latest/api/token" and self.headers.get("x-aws-ec2-metadata-token-ttl-seconds"):
            self.answer(200, "session", "text/plain")
        else:
            self.answer(400, "")

    def do_GET(self):
        if self.busy():
            return
        roles = "/latest/meta-data/iam/security-credentials/"
        if self.path.startswith("/latest/"):
            if self.headers.get("x-aws-ec2-metadata-token") != "session":
                self.answer(401, "version 1 is not spoken here")
            elif self.path == roles:
                self.answer(200, "the-role", "text/plain")
            elif self.path == roles + "the-role":
                self.answer(200, plain("IMDS"))
            elif self.path == "/latest/meta-data/placement/region":
                self.answer(200, "eu-central-1", "text/plain")
            else:
                self.answer(404, "")
        elif self.path == "/container" and self.headers.get("Authorization") == "Bearer pod":
            self.answer(200, plain("CONTAINER"))
        elif self.path.startswith("/federation/credentials?") and \
                self.headers.get("x-amz-sso_bearer_token") == "sso-token":
            self.answer(200, {"roleCredentials": {"accessKeyId": "AKSSO", "secretAccessKey": SECRET, "sessionToken": TOKEN,
                                                  "expiration": int(time.time() + 3600) * 1000}})
        else:
            self.answer(403, {"message": "no"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.busy():
            return
        if self.path == "/token":
            grant = json.loads(body)
            if grant == {"grantType": "refresh_token", "clientId": "client", "clientSecret": "client-secret",
                         "refreshToken": "refresh-1"}:
                self.answer(200, {"accessToken": "sso-token", "expiresIn": 28800, "refreshToken": "refresh-2"})
            else:
                self.answer(400, {"error": "invalid_grant"})
            return
        form = {k: v[0] for k, v in urllib.parse.parse_qs(body).items()}
        action, signed = form.get("Action"), self.headers.get("Authorization", "")
        if action == "AssumeRole" and "Credential=AKBASE/" in signed and form.get("ExternalId") == "x1":
            self.answer(200, assumed(action, "ROLE"), "text/xml")
        elif action == "AssumeRole" and form.get("SerialNumber") == "arn:aws:iam::123456789012:mfa/me" and \
                form.get("TokenCode") == "246810":
            self.answer(200, assumed(action, "MFA"), "text/xml")
        elif action == "AssumeRole" and "Credential=AKROLE/" in signed:
            self.answer(200, assumed(action, "SECOND"), "text/xml")
        elif action == "AssumeRoleWithWebIdentity" and form.get("WebIdentityToken") == "web-token" and not signed:
            self.answer(200, assumed(action, "WEB"), "text/xml")
        else:
            self.answer(403, "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message></Error>"
                             "</ErrorResponse>", "text/xml")

    def log_message(self, form, *args):
        with open(sys.argv[2], "a", encoding="utf-8") as log:
            log.write(form % args + "\n")


def follow(parent):
    """Ends with whoever started this, also where python3 is a wrapper that was killed alone."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


threading.Thread(target=follow, args=(os.getppid(),), daemon=True).start()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Cloud)
with open(sys.argv[1] + ".part", "w", encoding="utf-8") as out:
    out.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".part", sys.argv[1])
server.serve_forever()
