// The checks of flows: each says what was expected and what was seen.
import assert from 'node:assert/strict';

export const equal = (seen, expected, what) => assert.deepEqual(seen, expected, what);
export const matches = (seen, pattern) => assert.match(String(seen), pattern);
export const lacks = (seen, pattern) => assert.doesNotMatch(String(seen), pattern);
export const holds = (value, what) => assert.ok(value, what);
