// `percuss view` as others on this computer may see it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** Asks without the cleaning that fetch does to paths and headers; with the token unless told otherwise. */
function ask(path, { method = "GET", headers = {}, body, query = server.token } = {}) {
  return new Promise((done, failed) => {
    const request = http.request({ host: "127.0.0.1", port: server.port, path: path + query, method, headers, agent: false }, (response) => {
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

test("ranges of bytes are those of the file and of the page", async () => {
  const page = (await ask("/")).body;
  for (const [path, whole] of [["/results.h5", bytes], ["/", page]]) {
    const size = whole.length;
    for (const [range, begin, end] of [["0-0", 0, 1], ["8-1000", 8, 1001], [`${size - 5}-`, size - 5, size], ["-7", size - 7, size], [`0-${size - 1}`, 0, size]]) {
      const piece = await ask(path, { headers: { Range: `bytes=${range}` } });
      assert.equal(piece.status, 206, range);
      assert.equal(piece.headers["content-range"], `bytes ${begin}-${end - 1}/${size}`);
      assert.ok(piece.body.equals(whole.subarray(begin, end)), range);
    }
    const outside = [
      `${size}-`, `${size}-${size}`, `${size + 5}-${size + 9}`, `${size + 34}-${size + 5_000_044}`, `0-${size}`, `${size - 1}-${size}`, "5-2", `-${size + 1}`, "-0", "--5", "-1-5", "5--9",
      "0-1,3-4,6-7", "0-5,3-9", "0-1,0-1", ",", "-", "", "x-y", "0x0-5", "+1-5", "1.5-9", " 1-5", "18446744073709551615-", "9223372036854775807-9223372036854775807",
      "99999999999999999999999999-", "0-99999999999999999999999999", "-99999999999999999999999999", "9".repeat(5000) + "-",
    ];
    for (const range of outside) {
      const refused = await ask(path, { headers: { Range: `bytes=${range}` } });
      assert.equal(refused.status, 416, range);
      assert.equal(refused.headers["content-range"], `bytes */${size}`);
      assert.ok(refused.body.length < 100, range);
    }
    assert.equal((await ask(path, { headers: { Range: "lines=1-2" } })).status, 416);
    const head = await ask(path, { method: "HEAD", headers: { Range: `bytes=${size + 5}-` } });
    assert.deepEqual([head.status, Number(head.headers["content-length"])], [200, size]);
  }
});

test("nobody without the token is answered", async () => {
  const token = server.token;
  assert.match(token, /^\?token=[0-9a-f]{32}$/);
  const wrong = ["", "?", "?token=", token.slice(0, -1), token + "0", `?token=${"0".repeat(32)}`, token.toUpperCase().replace("TOKEN", "token"), `${token}&x=1`, token.replace("token", "Token")];
  for (const query of wrong)
    for (const path of ["/", "/results.h5", "/nothing"]) {
      if (query === token) continue; // all digits
      const answer = await ask(path, { query });
      assert.equal(answer.status, 403, query);
      assert.ok(!answer.body.includes(token.slice(-32)));
    }
  const other = await view(results);
  assert.notEqual(other.token, token);
  await other.stop();
});

test("idle and dripping clients keep nobody waiting", async () => {
  const host = `Host: 127.0.0.1:${server.port}\r\n`;
  const crowd = [];
  const join = (greeting) =>
    new Promise((done) => {
      const socket = net.connect(server.port, "127.0.0.1", () => {
        if (greeting) socket.write(greeting);
        done();
      });
      socket.on("error", done);
      crowd.push(socket);
    });
  const greetings = ["", "G", `GET / HTTP/1.1\r\n${host}X: `, `GET /${server.token} HTTP/1.1\r\n${host}\r\n`]; // the last takes none of its answer
  for (let i = 0; i < 1000; ++i) await join(greetings[i % greetings.length]);
  crowd.forEach((socket) => socket.pause());
  const dripping = setInterval(() => crowd.forEach((socket) => socket.writable && socket.write("a")), 100);
  try {
    for (let i = 0; i < 5; ++i) {
      const answer = ask("/results.h5", { headers: { Range: "bytes=0-7" } });
      const late = new Promise((_, failed) => setTimeout(() => failed(new Error("no answer within 2 s")), 2000).unref());
      assert.equal((await Promise.race([answer, late])).status, 206);
    }
    const open = readdirSync(`/proc/${server.process.pid}/fd`).length;
    assert.ok(open < 200, `${open} descriptors are open`);
  } finally {
    clearInterval(dripping);
    crowd.forEach((socket) => socket.destroy());
  }
  assert.equal((await ask("/")).status, 200);
});

test("a connection is kept for the next request, and requests may follow each other at once", async () => {
  const request = (path, more = "") => `GET ${path}${server.token} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${more}\r\n`;
  const answers = await new Promise((done) => {
    const socket = net.connect(server.port, "127.0.0.1");
    let text = "";
    socket.on("data", (piece) => (text += piece.toString("latin1")));
    socket.on("end", () => done(text));
    const range = "Range: bytes=1-3\r\n";
    socket.write(request("/results.h5", range).repeat(2) + request("/results.h5", `${range}Connection: close\r\n`));
  });
  assert.equal(answers.match(/HTTP\/1\.1 206/g)?.length, 3);
  assert.equal(answers.match(/HDF/g)?.length, 3);
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
  const get = `GET /${server.token} HTTP/1.1\r\n`;
  assert.match(await sendRaw(`${get}Host:\r\nConnection: close\r\n\r\n`), /403/);
  assert.match(await sendRaw(`${get}Connection: close\r\n\r\n`), /403/);
  assert.match(await sendRaw(`${get}Host: ${good[0]}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`), /403/);
});

test("only GET and HEAD", async () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    const answer = await ask("/results.h5", { method, body: method === "OPTIONS" ? undefined : "x" });
    assert.equal(answer.status, 405, method);
  }
  assert.ok(readFileSync(results).equals(bytes));
});

test("huge and strange requests do no harm", async () => {
  const host = `Host: 127.0.0.1:${server.port}\r\n`;
  const refused = async (text, what) => assert.doesNotMatch(await sendRaw(text), / 20[06] /, what);
  const get = `GET /${server.token} HTTP/1.1\r\n${host}`;
  await refused(`GET /${"a".repeat(200_000)}${server.token} HTTP/1.1\r\n${host}\r\n`, "a long path");
  await refused(`${get}X: ${"a".repeat(1_000_000)}\r\n\r\n`, "a long header");
  await refused(`${get}${"X: a\r\n".repeat(1000)}\r\n`, "many headers");
  await refused(`${get}X\r\n\r\n`, "a header without a value");
  await refused(`${get}Content-Length: 99999999999\r\n\r\n${"a".repeat(100_000)}`, "a long body");
  await refused(`${get}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`, "a body in chunks");
  await refused(`${get}Range: bytes=0-1\r\nRange: bytes=2-3\r\n\r\n`, "two headers Range");
  await refused(`POST /${server.token} HTTP/1.1\r\n${host}Content-Length: 99999999999\r\n\r\n${"a".repeat(100_000)}`, "a long body");
  await refused("\0\x01\x02 nonsense\r\n\r\n", "nonsense");
  await refused(`GET http://127.0.0.1:${server.port}/${server.token} HTTP/1.1\r\n${host}\r\n`, "a proxy's request");
  await refused(`GET /results.h5${server.token} HTTP/1.1\r\n${host}Range: bytes=${"0-1,".repeat(500)}0-1\r\nConnection: close\r\n\r\n`, "many ranges");
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

test("the name of the file is only a name", async () => {
  const name = `"><script>'\`touch ran\`$(touch ran)&.h5`;
  copyFileSync(results, join(folder, name));
  const strange = await view(join(folder, name));
  const page = await (await fetch(strange.url)).text();
  assert.ok(page.includes('content="&quot;&gt;&lt;script&gt;&#39;`touch ran`$(touch ran)&amp;.h5"'));
  await strange.stop();
});

test("a file that is no results file is refused before anything is served", async () => {
  writeFileSync(join(folder, "notes.h5"), "notes");
  await assert.rejects(promisify(execFile)(percuss, ["view", join(folder, "notes.h5"), "--no-browser"]), (error) => {
    assert.equal(error.code, 3);
    assert.match(error.stderr, /notes\.h5/);
    return true;
  });
});
