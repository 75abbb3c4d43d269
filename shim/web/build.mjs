// Bundles the console: node build.mjs PACKAGES INTO. Makes index.html, console.js, console.css and console.svg in INTO, each
// also packed as NAME.gz. What callers' SQL may call comes from the table in docs/sql_support.md, which a test holds against
// the program's own.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const [packages, into] = process.argv.slice(2).map((folder) => path.resolve(folder));
const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const esbuild = createRequire(path.join(packages, 'index.js'))('esbuild');

// [{"name":"ABS","signatures":["ABS(INT64) -> INT64"]}] of the functions that the sandbox lets callers use.
async function functionTable() {
  const page = await readFile(path.join(here, '../../docs/sql_support.md'), 'utf8');
  const functions = new Map();
  for (const line of page.split('\n')) {
    const row = /^\| (`[A-Z][^|]*`) \| yes \|/.exec(line);
    if (row === null) continue;
    const signatures = [...row[1].matchAll(/`([^`]+)`/g)].map((match) => match[1]);
    const name = /^[A-Z0-9_.]+/.exec(signatures[0])?.[0];
    if (name !== undefined) functions.set(name, signatures.slice(0, 4));
  }
  if (functions.size < 200) throw new Error(`docs/sql_support.md lists ${functions.size} functions; its form has changed`);
  return [...functions].map(([name, signatures]) => ({ name, signatures }));
}

await mkdir(into, { recursive: true });
await esbuild.build({
  entryPoints: { console: path.join(here, 'src/main.tsx') },
  outdir: into,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome110', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  nodePaths: [packages],
  tsconfigRaw: {},
  legalComments: 'eof',
  define: { LOGQUERY_FUNCTIONS: JSON.stringify(await functionTable()) },
  logLevel: 'warning',
});
for (const name of ['index.html', 'console.svg']) await copyFile(path.join(here, name), path.join(into, name));
for (const name of ['index.html', 'console.js', 'console.css', 'console.svg']) {
  const content = await readFile(path.join(into, name));
  await writeFile(path.join(into, `${name}.gz`), gzipSync(content, { level: 9 }));
}
