// What the chart shows: lines or bars, of which numbers, over which column; or no chart.
import type { Answer, Column } from './api.ts';
import { type ChartChoice, type ChartFields, changed, chartFields, defaultChoice, fits, mostSeries } from './chart_choice.ts';
import { Menu } from './Menu.tsx';
import { setChart } from './running.ts';
import { splitOf, splitsOf } from './splitting.ts';
import { chart, comparing, rangeParameters, rowFields, setComparing } from './state.ts';

// What is drawn of an answer: what somebody chose, if the answer has it, else what suits its columns.
export function chosenFor(answer: Answer): ChartChoice | null {
  const chosen = chart.value;
  if (chosen === 'none') return null;
  return chosen !== null && fits(chosen, answer) ? chosen : defaultChoice(answer);
}

// A choice to begin with where none is made: the first axis, and a number that is not the axis.
function firstChoice({ axes, values }: ChartFields): ChartChoice | null {
  const axis = axes[0];
  const value = values.find((column) => column !== axis) ?? values[0];
  return axis === undefined || value === undefined ? null : { kind: 'bar', axis: axis.name, values: [value.name], split: null };
}

function Select({ label, value, options, onChange }: { label: string; value: string; options: [string, string][]; onChange: (value: string) => void }) {
  return (
    <label class="field-of-chart">{label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([id, text]) => <option key={id} value={id}>{text}</option>)}
      </select>
    </label>
  );
}

function Values({ columns, choice }: { columns: Column[]; choice: ChartChoice }) {
  const several = choice.kind === 'line' && choice.split === null;
  const choose = (name: string, on: boolean) => {
    const rest = several ? choice.values.filter((other) => other !== name) : [];
    setChart(changed(choice, { values: on ? [...rest, name] : rest }));
  };
  return (
    <fieldset>
      <legend>{several ? 'Values' : 'Value'}</legend>
      {columns.map(({ name }) => {
        const on = choice.values.includes(name);
        const fixed = several && (on ? choice.values.length === 1 : choice.values.length >= mostSeries);
        return (
          <label key={name} class="check">
            <input type={several ? 'checkbox' : 'radio'} name="chart-value" checked={on} disabled={fixed} onChange={(event) => choose(name, event.currentTarget.checked)} /> {name}
          </label>
        );
      })}
    </fieldset>
  );
}

const kinds = [['line', 'Lines'], ['bar', 'Bars'], ['none', 'No chart']] as const;

function Kinds({ now, onChoose }: { now: string; onChoose: (kind: 'line' | 'bar' | 'none') => void }) {
  return (
    <div class="kinds" role="group" aria-label="Kind of chart">
      {kinds.map(([id, text]) => <button key={id} type="button" aria-pressed={now === id} onClick={() => onChoose(id)}>{text}</button>)}
    </div>
  );
}

function Choice({ answer, fields }: { answer: Answer; fields: ChartFields }) {
  const choice = chosenFor(answer);
  const start = choice ?? defaultChoice(answer) ?? firstChoice(fields);
  if (start === null) return <p class="hint">These rows have nothing to draw.</p>;
  const choose = (part: Partial<ChartChoice>) => setChart(changed(start, part));
  const values = fields.values.filter(({ name }) => name !== choice?.axis && name !== choice?.split);
  return (
    <div class="chart-choice">
      <Kinds now={choice?.kind ?? 'none'} onChoose={(kind) => (kind === 'none' ? setChart('none') : choose({ kind }))} />
      {choice !== null && (
        <>
          <Select label="Across" value={choice.axis} options={fields.axes.map(({ name }) => [name, name])} onChange={(axis) => choose({ axis })} />
          <Select label={choice.kind === 'line' ? 'One line for each' : 'Split the bars by'} value={choice.split ?? ''} onChange={(split) => choose({ split: split === '' ? null : split })}
            options={[['', choice.kind === 'line' ? 'value' : '(one bar)'], ...fields.splits.filter(({ name }) => name !== choice.axis).map(({ name }): [string, string] => [name, name])]} />
          <Values columns={values.length > 0 ? values : fields.values} choice={choice} />
        </>
      )}
    </div>
  );
}

// Of log rows the histogram is drawn or not, in parts by a field or as a whole.
function LogChoice({ time }: { time: string }) {
  const choice = chart.value;
  const split = splitOf(rowFields.value, choice)?.path.map(({ name }) => name).join('.') ?? '';
  const options: [string, string][] = splitsOf(rowFields.value).map((path) => [path, path.split('.').at(-1) ?? path]);
  return (
    <div class="chart-choice">
      <label class="check"><input type="checkbox" checked={choice !== 'none'} onChange={(event) => setChart(event.currentTarget.checked ? null : 'none')} /> Rows over time</label>
      {choice !== 'none' && rangeParameters.value !== null && (
        <label class="check"><input type="checkbox" checked={comparing.value} onChange={(event) => setComparing(event.currentTarget.checked)} /> Compare with the range before</label>
      )}
      {choice !== 'none' && options.length > 0 && (
        <Select label="Split the bars by" value={split} options={[['', '(one bar)'], ...options]}
          onChange={(next) => setChart({ kind: 'bar', axis: time, values: ['rows'], split: next === '' ? null : next })} />
      )}
    </div>
  );
}

export function ChartMenu({ answer }: { answer: Answer }) {
  const log = answer.shape !== null && answer.rows.length > 0;
  const fields = chartFields(answer);
  if (!log && fields === null) return null;
  return (
    <Menu label="Chart" title="What the chart shows" class="quiet" align="right">
      {() => fields === null ? <LogChoice time={answer.shape?.time ?? ''} /> : <Choice answer={answer} fields={fields} />}
    </Menu>
  );
}
