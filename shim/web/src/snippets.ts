// The present call as a program makes it: curl, C++ and JavaScript, with a placeholder for the token.
import { type Call, callPath } from './api.ts';

export type Language = 'curl' | 'cpp' | 'javascript';

export const languages: { id: Language; label: string }[] = [
  { id: 'curl', label: 'curl' },
  { id: 'cpp', label: 'C++' },
  { id: 'javascript', label: 'JavaScript' },
];

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(call: Call, origin: string): string {
  const lines = [`curl -sS -G -H "X-API-KEY: $TOKEN"`];
  if (call.redact) lines.push(`-H 'LF-ENDPOINT-REDACT-PII: true'`);
  for (const [name, value] of Object.entries(call.parameters)) lines.push(`--data-urlencode ${shellQuoted(`${name}=${value}`)}`);
  lines.push(shellQuoted(origin + callPath({ ...call, parameters: {} })));
  return lines.join(' \\\n  ');
}

// A raw string literal; its delimiter is one that the text does not hold.
function cppText(text: string): string {
  if (!/["\\\n]/.test(text)) return `"${text}"`;
  let mark = 'sql';
  while (text.includes(`)${mark}"`)) mark += '_';
  return `R"${mark}(${text})${mark}"`;
}

function cpp(call: Call): string {
  const parameters = Object.entries(call.parameters).map(([name, value]) => `    {${cppText(name)}, ${cppText(value)}},`);
  return [
    '// In a program that embeds the library: service is a logquery::QueryService.',
    'logquery::QueryRequest request;',
    `request.endpoint = ${cppText(call.endpoint)};`,
    'request.parameters = {',
    ...parameters,
    '};',
    ...(call.redact ? ['request.redact_pii = true;'] : []),
    'absl::StatusOr<logquery::QueryAnswer> answer = service->Run(request);',
    'if (!answer.ok()) return answer.status();',
    'std::cout << answer->body;  // {"result":[…]}',
  ].join('\n');
}

function javaScript(call: Call, origin: string): string {
  const headers = [`'X-API-KEY': token`, ...(call.redact ? [`'LF-ENDPOINT-REDACT-PII': 'true'`] : [])];
  return [
    `const query = new URLSearchParams(${JSON.stringify(call.parameters, null, 2)});`,
    `const response = await fetch(\`${origin}${callPath({ ...call, parameters: {} })}?\${query}\`, {`,
    `  headers: { ${headers.join(', ')} },`,
    '});',
    'const { result, error } = await response.json();',
    'if (error) throw new Error(error.message);',
    'console.table(result);',
  ].join('\n');
}

export function snippet(language: Language, call: Call, origin: string): string {
  switch (language) {
    case 'curl':
      return curl(call, origin);
    case 'cpp':
      return cpp(call);
    case 'javascript':
      return javaScript(call, origin);
  }
}
