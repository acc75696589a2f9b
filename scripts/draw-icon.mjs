import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { root } from './ensure.mjs';

// media/icon.png: two speech bubbles, one of which holds what the other says in another hand. Run it after a change here.

const size = 128;
const samples = 4;
const [back, front, mark] = [
  [18, 48, 71],
  [240, 247, 250],
  [255, 176, 59],
];

/** Distance to a rounded box around (x, y), negative inside. */
const box = (px, py, { x, y, w, h, r }) => {
  const [dx, dy] = [Math.abs(px - x) - w + r, Math.abs(py - y) - h + r];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - r;
};
const tail = (px, py, { x, y, side }) =>
  py >= y && py <= y + 16 && (px - x) * side >= 0 && (px - x) * side <= 16 - (py - y);

function colourAt(px, py) {
  if (box(px, py, { x: 64, y: 64, w: 64, h: 64, r: 26 }) > 0) return undefined;
  const isUpper = box(px, py, { x: 54, y: 44, w: 34, h: 22, r: 10 }) < 0 || tail(px, py, { x: 32, y: 62, side: 1 });
  const isLower = box(px, py, { x: 76, y: 82, w: 32, h: 20, r: 10 }) < 0 || tail(px, py, { x: 98, y: 98, side: -1 });
  const lines = [
    [34, 38, 40],
    [34, 50, 26],
  ].some(([x, y, w]) => box(px, py, { x: x + w / 2, y, w: w / 2, h: 2.5, r: 2.5 }) < 0);
  const brackets =
    [
      [60, 1],
      [92, -1],
    ].some(([x, side]) => {
      const dy = Math.abs(py - 82);
      return dy < 10 && Math.abs((px - x) * side - dy * 0.6) < 2.6;
    }) || box(px, py, { x: 76, y: 82, w: 3, h: 3, r: 3 }) < 0;
  if (isLower) return brackets ? back : mark;
  if (isUpper) return lines ? back : front;
  return back;
}

const rows = [];
for (let y = 0; y < size; y += 1) {
  const row = Buffer.alloc(1 + size * 4);
  for (let x = 0; x < size; x += 1) {
    const sum = [0, 0, 0, 0];
    for (let i = 0; i < samples * samples; i += 1) {
      const colour = colourAt(x + ((i % samples) + 0.5) / samples, y + (Math.floor(i / samples) + 0.5) / samples);
      if (colour === undefined) continue;
      for (let c = 0; c < 3; c += 1) sum[c] += colour[c];
      sum[3] += 1;
    }
    const covered = sum[3];
    for (let c = 0; c < 3; c += 1) row[1 + x * 4 + c] = covered === 0 ? 0 : Math.round(sum[c] / covered);
    row[1 + x * 4 + 3] = Math.round((covered / (samples * samples)) * 255);
  }
  rows.push(row);
}

const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};
const header = Buffer.alloc(13);
header.writeUInt32BE(size, 0);
header.writeUInt32BE(size, 4);
header.set([8, 6, 0, 0, 0], 8);
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);
writeFileSync(join(root, 'packages/vscode/media/icon.png'), png);
