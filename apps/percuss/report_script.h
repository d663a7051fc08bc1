#pragma once

/// Draws the data of report_animation.cpp on a canvas: polygons from the farthest to the nearest. No library.
inline constexpr const char* animation_script = R"SCRIPT(
(() => {
  const data = JSON.parse(document.getElementById("motion").textContent);
  const canvas = document.getElementById("animation"), context = canvas.getContext("2d");
  const slider = document.getElementById("frame"), button = document.getElementById("play"), clock = document.getElementById("clock");
  let yaw = data.planar ? 0 : -0.5, pitch = data.planar ? Math.PI / 2 : 0.42, zoom = 1, frame = 0, playing = false, drag = null;
  const moved = (p, v) => [0, 1, 2].map((i) => p[i] + p[3 + i] * v[0] + p[6 + i] * v[1] + p[9 + i] * v[2]);
  // Right, up and towards the eye; z is up unless one looks along it.
  function project(p) {
    const [x, y, z] = p.map((value, i) => (value - data.centre[i]) / data.size);
    const a = Math.cos(yaw) * x + Math.sin(yaw) * y, b = -Math.sin(yaw) * x + Math.cos(yaw) * y;
    const scale = 0.95 * Math.min(canvas.width, canvas.height) * zoom;
    return [canvas.width / 2 + scale * a, canvas.height / 2 - scale * (Math.cos(pitch) * z + Math.sin(pitch) * b),
      Math.sin(pitch) * z - Math.cos(pitch) * b];
  }
  function draw() {
    const faces = [];
    const add = (points, colour, isLine) => {
      const p = points.map(project);
      const [u, v] = p.length > 2 ? [1, 2].map((i) => [0, 1, 2].map((k) => p[i][k] - p[0][k])) : [];
      let light = 1;
      if (u) {
        const s = canvas.width / 1.05;
        const n = [u[1] * v[2] * s - u[2] * s * v[1], u[2] * s * v[0] - u[0] * v[2] * s, u[0] * v[1] - u[1] * v[0]];
        light = 0.62 + 0.38 * Math.abs(n[2]) / (Math.hypot(...n) || 1);
      }
      faces.push({ p, colour, light, isLine, depth: p.reduce((sum, q) => sum + q[2], 0) / p.length });
    };
    data.shapes.forEach((shape) => {
      const v = shape.v.map((vertex) => moved(data.places[frame][shape.b] || [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], vertex));
      shape.t.forEach((t) => add(t.map((i) => v[i]), shape.c));
      shape.l.forEach((l) => add(l.map((i) => v[i]), shape.c, true));
    });
    data.flexibles.forEach((body) => {
      const n = body.frames[frame], at = (i) => [n[3 * i], n[3 * i + 1], n[3 * i + 2]];
      body.t.forEach((t) => add(t.map(at), body.c));
      body.l.forEach((l) => add(l.map(at), body.c, true));
    });
    context.clearRect(0, 0, canvas.width, canvas.height);
    data.walls.forEach((wall) => wall.l.forEach((line) => {
      const [a, b] = line.map((v) => project(moved(data.places[frame][wall.b] || [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], v)));
      context.strokeStyle = "#b8c0cc"; context.lineWidth = 1;
      context.beginPath(); context.moveTo(a[0], a[1]); context.lineTo(b[0], b[1]); context.stroke();
    }));
    faces.sort((a, b) => a.depth - b.depth);
    for (const face of faces) {
      const colour = `rgb(${face.colour.map((c) => Math.round(c * face.light)).join()})`;
      context.beginPath();
      face.p.forEach((q, i) => (i ? context.lineTo(q[0], q[1]) : context.moveTo(q[0], q[1])));
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = face.isLine ? 4 : 0.7;
      if (!face.isLine) { context.closePath(); context.fill(); }
      context.stroke();
    }
    slider.value = frame;
    clock.textContent = `t = ${data.times[frame].toPrecision(5)} s`;
  }
  slider.max = data.times.length - 1;
  slider.oninput = () => { frame = Number(slider.value); draw(); };
  button.onclick = () => { playing = !playing; button.textContent = playing ? "Pause" : "Play"; if (playing) requestAnimationFrame(tick); };
  let start = 0;
  function tick(now) {
    if (!playing) return;
    if (now - start > data.pause) { start = now; frame = (frame + 1) % data.times.length; draw(); }
    requestAnimationFrame(tick);
  }
  canvas.onpointerdown = (event) => { drag = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); };
  canvas.onpointerup = () => (drag = null);
  canvas.onpointermove = (event) => {
    if (!drag) return;
    yaw += (event.clientX - drag[0]) / 150;
    pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, pitch + (event.clientY - drag[1]) / 150));
    drag = [event.clientX, event.clientY];
    draw();
  };
  canvas.onwheel = (event) => { event.preventDefault(); zoom *= Math.exp(-event.deltaY / 600); draw(); };
  draw();
})();
)SCRIPT";
