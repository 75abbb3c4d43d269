// The call as a program makes it, in a language of choice.
import { signal } from '@preact/signals';
import { copy } from './keeping.ts';
import { callAt } from './state.ts';
import { type Language, languages, snippet } from './snippets.ts';

const language = signal<Language>('curl');

export function Snippets() {
  const text = snippet(language.value, callAt(new Date()), location.origin);
  return (
    <div class="snippets">
      <div class="tabs">
        <div class="tabs" role="tablist" aria-label="Language">{languages.map(({ id, label }) => (
          <button key={id} type="button" role="tab" aria-selected={language.value === id} onClick={() => (language.value = id)}>{label}</button>
        ))}</div>
        <span class="gap" />
        <button type="button" onClick={() => void copy(text, 'the code')}>Copy</button>
      </div>
      <pre tabIndex={0} aria-label="Code of the call">{text}</pre>
    </div>
  );
}
