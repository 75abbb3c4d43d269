// Lets the conformance tests be loaded by node 20: they import fs.globSync, which node has from 22 on, for a command that is not run here.
import { register } from 'node:module';

const withGlob = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => { throw new Error('node 22 has globSync'); };";
const hooks = `
export async function resolve(specifier, context, next) {
  const isTheirs = specifier === 'fs' && String(context.parentURL).includes('/@modelcontextprotocol/conformance/');
  return isTheirs ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(withGlob)}`)}, shortCircuit: true } : next(specifier, context);
}`;
if (Number(process.versions.node.split('.')[0]) < 22) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
