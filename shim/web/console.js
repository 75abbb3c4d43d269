// The console: lists what a token may call, runs it, and shows the rows. Text from the server only ever becomes text nodes.
'use strict';

const element = (id) => document.getElementById(id);
let token = '';
let endpoints = [];

function make(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

async function ask(path, headers) {
  const response = await fetch(path, { headers: { 'X-API-KEY': token, ...headers }, cache: 'no-store' });
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Error(`the server answered ${response.status} and no JSON`);
  }
  if (body.error) {
    const { message, details = {} } = body.error;
    throw new Error(details.snippet ? `${message}\n\n${details.snippet}` : message);
  }
  return { body, response };
}

function showStatus(text, isError) {
  element('result-section').hidden = false;
  const status = element('status');
  status.textContent = text;
  status.className = isError ? 'error' : 'hint';
}

function current() {
  return endpoints.find((endpoint) => endpoint.name === element('endpoint').value);
}

function parameterField(parameter) {
  const label = make('label', parameter.name + ' ');
  label.htmlFor = 'parameter-' + parameter.name;
  label.append(make('span', parameter.type + (parameter.required ? ', required' : ''), 'type'));
  let input;
  if (parameter.name === 'sql') {
    input = make('textarea');
    input.placeholder = 'select timestamp, event_message from edge_logs order by timestamp desc limit 20';
  } else if (parameter.allowed && parameter.allowed.length > 0) {
    input = make('select');
    for (const value of parameter.allowed) input.append(new Option(value, value));
  } else {
    input = make('input');
  }
  input.id = label.htmlFor;
  input.name = parameter.name;
  input.spellcheck = false;
  input.required = Boolean(parameter.required && !parameter.fixed);
  input.addEventListener('input', showCommand);
  const field = make('div');
  field.append(label, input);
  if (parameter.description) field.append(make('p', parameter.description, 'hint'));
  return field;
}

function showEndpoint() {
  const endpoint = current();
  // What was typed for a parameter of that name stays.
  const typed = new Map([...element('parameters').querySelectorAll('[name]')].map((input) => [input.name, input.value]));
  element('description').textContent = endpoint.description;
  element('parameters').replaceChildren(...endpoint.parameters.map(parameterField));
  for (const input of element('parameters').querySelectorAll('[name]')) {
    if (typed.has(input.name)) input.value = typed.get(input.name);
  }
  showCommand();
}

function callPath() {
  const query = new URLSearchParams();
  for (const input of element('parameters').querySelectorAll('[name]')) {
    if (input.value !== '') query.append(input.name, input.value);
  }
  return `/api/endpoints/query/${encodeURIComponent(current().name)}?${query}`;
}

function showCommand() {
  const redact = element('redact').checked ? " -H 'LF-ENDPOINT-REDACT-PII: true'" : '';
  element('command').textContent = `curl -H "X-API-KEY: $TOKEN"${redact} '${location.origin}${callPath().replaceAll("'", '%27')}'`;
}

// Timestamps come as microseconds since 1970.
function cellText(column, value) {
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  if (column === 'timestamp' && typeof value === 'number' && value > 1e14) return new Date(value / 1000).toISOString();
  return String(value);
}

function cell(column, value) {
  const td = make('td');
  td.append(make('div', value === null ? 'null' : cellText(column, value), 'cell'));
  if (value === null) td.className = 'null';
  else if (typeof value === 'number' && column !== 'timestamp') td.className = 'number';
  return td;
}

function showRows(rows) {
  const table = element('rows');
  table.replaceChildren();
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]);
  const head = make('tr');
  for (const column of columns) {
    const th = make('th', column);
    th.scope = 'col';
    head.append(th);
  }
  table.createTHead().append(head);
  const body = table.createTBody();
  for (const row of rows) {
    const tr = make('tr');
    for (const column of columns) tr.append(cell(column, row[column]));
    body.append(tr);
  }
}

async function run(event) {
  event.preventDefault();
  const button = event.submitter || element('run-form').querySelector('button');
  button.disabled = true;
  showStatus('Running…', false);
  const begin = performance.now();
  try {
    const headers = element('redact').checked ? { 'LF-ENDPOINT-REDACT-PII': 'true' } : {};
    const { body, response } = await ask(callPath(), headers);
    const cut = response.headers.get('Logquery-Truncated') ? '; there are more than the endpoint returns' : '';
    const window = response.headers.get('Logquery-Window');
    const shortened = window ? `; retention cut the times: ${window}` : '';
    showRows(body.result);
    showStatus(`${body.result.length} rows in ${Math.round(performance.now() - begin)} ms${cut}${shortened}`, false);
  } catch (error) {
    showRows([]);
    showStatus(error.message, true);
  } finally {
    button.disabled = false;
  }
}

async function useToken(event) {
  event.preventDefault();
  token = element('token').value.trim();
  try {
    const { body } = await ask('/api/endpoints', {});
    endpoints = body.endpoints;
    element('endpoint').replaceChildren(...endpoints.map((endpoint) => new Option(endpoint.name, endpoint.name)));
    element('endpoint-section').hidden = endpoints.length === 0;
    element('result-section').hidden = true;
    if (endpoints.length === 0) showStatus('This token may call no endpoint.', true);
    else showEndpoint();
  } catch (error) {
    element('endpoint-section').hidden = true;
    showStatus(error.message, true);
  }
}

element('token-form').addEventListener('submit', useToken);
element('run-form').addEventListener('submit', run);
element('endpoint').addEventListener('change', showEndpoint);
element('redact').addEventListener('change', showCommand);
