/* A text as a QR code (ISO/IEC 18004): bytes, correction level M, and always the first mask, which every reader takes.
   Of each version, 1 to 20: how many bytes of correction each block has, and how many blocks there are. */
const OF_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const FORM = 0x5412; // of this level and mask

const QUIET = 4; // modules left white around it

/* An SVG, black on white whatever the page's colours; null for a text that is too long. */
export function svg(text) {
  const rows = code(text);
  if (!rows) return null;
  const dark = rows.flatMap((row, y) => row.map((one, x) => (one ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")));
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(made.namespaceURI, "path");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", text);
  made.setAttribute("viewBox", `0 0 ${rows.length + 2 * QUIET} ${rows.length + 2 * QUIET}`);
  made.setAttribute("style", "display: block; max-width: 18rem; background: #fff");
  path.setAttribute("d", dark.join(""));
  made.append(path);
  return made;
}
/* Its rows of modules, true where it is dark. */
export function code(text) {
  const data = [...new TextEncoder().encode(text)], long = (v) => (v > 9 ? 16 : 8);
  const v = 1 + BLOCKS.findIndex((_, at) => 8 * room(at + 1) >= 4 + long(at + 1) + 8 * data.length);
  return v ? drawn(v, corrected(v, packed(v, data, long(v)))) : null;
}
/* Bytes in all, and for data alone. */
function whole(v) {
  const marks = v > 1 ? Math.floor(v / 7) + 2 : 0;
  return ((16 * v + 128) * v + 64 - (marks && (25 * marks - 10) * marks - 55) - (v > 6 ? 36 : 0)) >> 3;
}
const room = (v) => whole(v) - OF_BLOCK[v - 1] * BLOCKS[v - 1];
function packed(v, data, long) {
  const bits = [0x4, data.length, ...data].map((n, at) => n.toString(2).padStart([4, long][at] || 8, "0")).join("");
  const bytes = `${bits}0000`.match(/.{8}/g).map((one) => parseInt(one, 2));
  for (let at = 0; bytes.length < room(v); at += 1) bytes.push(at % 2 ? 0x11 : 0xec);
  return bytes;
}
function times(a, b) {
  let made = 0;
  for (let bit = 7; bit >= 0; bit -= 1) made = (made << 1) ^ (made >> 7 ? 0x11d : 0) ^ ((b >> bit) & 1 ? a : 0);
  return made;
}
/* Reed–Solomon, block by block; then the bytes of all blocks in turn. */
function corrected(v, data) {
  const degree = OF_BLOCK[v - 1], blocks = BLOCKS[v - 1], short = Math.floor(data.length / blocks), longer = data.length % blocks;
  let by = [1];
  for (let n = 0, root = 1; n < degree; n += 1, root = times(root, 2)) by = [...by, 0].map((one, at) => one ^ times(by[at - 1] || 0, root));
  const split = Array.from({ length: blocks }, (_, n) => data.splice(0, short + (n >= blocks - longer)));
  const checks = split.map((block) => block.reduce((rest, one) => {
    const first = one ^ rest[0];
    return [...rest.slice(1), 0].map((other, at) => other ^ times(by[at + 1], first));
  }, Array(degree).fill(0)));
  const turns = (some, length) => Array.from({ length }, (_, at) => some.map((one) => one[at])).flat().filter((one) => one !== undefined);
  return [...turns(split, short + 1), ...turns(checks, degree)];
}
function drawn(v, bytes) {
  const size = 4 * v + 17, end = size - 1, rows = Array.from({ length: size }, () => Array(size));
  const set = (x, y, dark) => { if (rows[y] && x >= 0 && x < size) rows[y][x] = !!dark; };
  const square = (x, y, out, dark) => {
    for (let dx = -out; dx <= out; dx += 1) for (let dy = -out; dy <= out; dy += 1) set(x + dx, y + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let n = 0; n < size; n += 1) [[n, 6], [6, n]].forEach(([x, y]) => set(x, y, n % 2 === 0));
  [[3, 3], [end - 3, 3], [3, end - 3]].forEach(([x, y]) => square(x, y, 4, (far) => far !== 2 && far < 4));
  const marks = v > 1 ? Math.floor(v / 7) + 2 : 0, step = marks && 2 * Math.ceil((4 * v + 4) / (2 * marks - 2));
  const at = Array.from({ length: marks }, (_, n) => (n ? size - 7 - step * (marks - 1 - n) : 6));
  at.forEach((x, i) => at.forEach((y, j) => {
    if (![[0, 0], [0, marks - 1], [marks - 1, 0]].some(([a, b]) => a === i && b === j)) square(x, y, 2, (far) => far !== 1);
  }));
  for (let n = 0; n < 15; n += 1) {
    const dark = (FORM >> n) & 1;
    set(n < 8 ? end - n : n < 9 ? 7 : 14 - n, 8, dark);
    set(8, n < 6 ? n : n < 8 ? n + 1 : end - 14 + n, dark);
  }
  set(8, end - 7, true);
  for (let n = 0, rest = v, form = 0; v > 6 && n < 18; n += 1) {
    if (!n) {
      for (let bit = 0; bit < 12; bit += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
      form = (v << 12) | rest;
    }
    const far = end - 10 + (n % 3), near = Math.floor(n / 3);
    [[far, near], [near, far]].forEach(([x, y]) => set(x, y, (form >> n) & 1));
  }
  let bit = 0; // what is left: two columns at a time, up and down, from the right; every other module is turned over
  for (let right = end; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step_ = 0; step_ < size; step_ += 1) {
      const y = ((right + 1) & 2) === 0 ? end - step_ : step_;
      for (const x of [right, right - 1]) {
        if (rows[y][x] === undefined) {
          set(x, y, ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1) ^ ((x + y) % 2 === 0));
          bit += 1;
        }
      }
    }
  }
  return rows;
}
