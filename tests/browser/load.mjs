// Loads one module of the console for tests of its parts: node FILE PACKAGES names the folder of the packages that it is bundled with.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = path.resolve(process.argv[2]);
const sources = fileURLToPath(new URL('../../shim/web/src/', import.meta.url));
const esbuild = createRequire(path.join(packages, 'index.js'))('esbuild');

export const source = (name) => path.join(sources, name);

// The exports of the module.
export async function load(name) {
  const { outputFiles } = await esbuild.build({ entryPoints: [source(name)], bundle: true, write: false, format: 'esm', nodePaths: [packages], tsconfigRaw: {}, define: { LOGQUERY_FUNCTIONS: '[]' } });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
