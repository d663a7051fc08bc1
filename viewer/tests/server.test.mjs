// `percuss view` as others on this computer may see it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { folder, percuss, simulate, view } from "./support.mjs";

let server, results, bytes;
before(async () => {
  results = simulate("bouncing_ball", ["record.every=0.01"]);
  bytes = readFileSync(results);
  server = await view(results);
});
after(() => server?.stop());

/** Asks without the cleaning that fetch does to paths and headers. */
function ask(path, { method = "GET", headers = {}, body } = {}) {
  return new Promise((done, failed) => {
    const request = http.request({ host: "127.0.0.1", port: server.port, path, method, headers, agent: false }, (response) => {
      const pieces = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }));
      response.on("error", failed);
    });
    request.on("error", failed);
    request.end(body);
  });
}

/** The first line of the answer to a request that is sent as it is; empty if the connection is closed without one. */
function sendRaw(text) {
  return new Promise((done) => {
    const socket = net.connect(server.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (piece) => (answer += piece));
    socket.on("error", () => {});
    socket.on("close", () => done(answer.split("\r\n")[0]));
    socket.write(text);
    socket.setTimeout(8000, () => socket.destroy());
  });
}

test("the page and the file are served", async () => {
  const page = await ask("/");
  assert.equal(page.status, 200);
  assert.match(page.body.toString(), /<meta name="percuss-results" content="bouncing_ball.h5">/);
  assert.match(page.headers["content-security-policy"], /default-src 'none'/);
  const file = await ask("/results.h5");
  assert.equal(file.status, 200);
  assert.ok(file.body.equals(bytes));
  const head = await ask("/results.h5", { method: "HEAD" });
  assert.equal(Number(head.headers["content-length"]), bytes.length);
});

test("ranges of bytes are those of the file", async () => {
  const size = bytes.length;
  for (const [range, begin, end] of [["0-0", 0, 1], ["8-1000", 8, 1001], [`${size - 5}-`, size - 5, size], ["-7", size - 7, size], [`0-${size - 1}`, 0, size]]) {
    const piece = await ask("/results.h5", { headers: { Range: `bytes=${range}` } });
    assert.equal(piece.status, 206, range);
    assert.equal(piece.headers["content-range"], `bytes ${begin}-${end - 1}/${size}`);
    assert.ok(piece.body.equals(bytes.subarray(begin, end)), range);
  }
  for (const range of [`${size}-`, `${size + 5}-${size + 9}`, "5-2", `0-${size}`, `-${size + 1}`, "0-1,3-4,6-7", "-0", "x-y"]) {
    const refused = await ask("/results.h5", { headers: { Range: `bytes=${range}` } });
    assert.equal(refused.status, 416, range);
    assert.ok(refused.body.length < 100, range);
  }
});

test("nothing else is there", async () => {
  writeFileSync(join(folder, "secret.txt"), "secret");
  const paths = [
    "/secret.txt", "/../secret.txt", "/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
    "/results.h5/../secret.txt", "/results.h5%00.txt", "/bouncing_ball.h5", "/results.h5.checkpoint", "/./results.h5/", "/index.html/..", "/\\..\\..",
    `/${folder}/secret.txt`, "/results.h5/",
  ];
  for (const path of paths) {
    const answer = await ask(path);
    assert.ok(answer.status === 404 || answer.status === 400, `${path}: ${answer.status}`);
    assert.doesNotMatch(answer.body.toString("latin1"), /secret|root:/);
  }
});

test("other names in Host are refused", async () => {
  const good = [`127.0.0.1:${server.port}`, `localhost:${server.port}`];
  for (const Host of good) assert.equal((await ask("/", { headers: { Host } })).status, 200);
  for (const Host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", `127.0.0.1:${server.port}.evil.example`, `127.0.0.2:${server.port}`])
    assert.equal((await ask("/results.h5", { headers: { Host } })).status, 403, Host);
  assert.match(await sendRaw("GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"), /40[03]/);
  assert.match(await sendRaw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), /403/);
  assert.match(await sendRaw(`GET / HTTP/1.1\r\nHost: ${good[0]}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`), /403/);
});

test("only GET and HEAD", async () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    const answer = await ask("/results.h5", { method, body: method === "OPTIONS" ? undefined : "x" });
    assert.ok([400, 404, 405].includes(answer.status), `${method}: ${answer.status}`);
  }
  assert.ok(readFileSync(results).equals(bytes));
});

test("huge and strange requests do no harm", async () => {
  const host = `Host: 127.0.0.1:${server.port}\r\n`;
  const refused = async (text, what) => assert.doesNotMatch(await sendRaw(text), / 20[06] /, what);
  await refused(`GET /${"a".repeat(200_000)} HTTP/1.1\r\n${host}\r\n`, "a long path");
  await refused(`GET / HTTP/1.1\r\n${host}X: ${"a".repeat(1_000_000)}\r\n\r\n`, "a long header");
  await refused(`POST / HTTP/1.1\r\n${host}Content-Length: 99999999999\r\n\r\n${"a".repeat(100_000)}`, "a long body");
  await refused("\0\x01\x02 nonsense\r\n\r\n", "nonsense");
  await refused(`GET /results.h5 HTTP/1.1\r\n${host}Range: bytes=${"0-1,".repeat(500)}0-1\r\nConnection: close\r\n\r\n`, "many ranges");
  assert.equal((await ask("/")).status, 200);
});

test("many at once get what they asked for", async () => {
  const requests = Array.from({ length: 100 }, (_, i) => {
    const begin = (i * 7919) % (bytes.length - 5000);
    return ask("/results.h5", { headers: { Range: `bytes=${begin}-${begin + 4999}` } }).then((piece) => {
      assert.equal(piece.status, 206);
      assert.ok(piece.body.equals(bytes.subarray(begin, begin + 5000)));
    });
  });
  await Promise.all(requests);
});

test("nobody outside of this computer is heard", async () => {
  const outside = Object.values(networkInterfaces()).flat().filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of outside)
    await new Promise((done, failed) => {
      const socket = net.connect(server.port, address);
      socket.on("connect", () => failed(new Error(`${address} answers`)));
      socket.on("error", done);
    });
});

test("a file that is no results file is refused before anything is served", async () => {
  writeFileSync(join(folder, "notes.h5"), "notes");
  await assert.rejects(promisify(execFile)(percuss, ["view", join(folder, "notes.h5"), "--no-browser"]), (error) => {
    assert.equal(error.code, 3);
    assert.match(error.stderr, /notes\.h5/);
    return true;
  });
});
