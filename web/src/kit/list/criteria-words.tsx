import type { Call } from '@mooring/contract/kit/call';
import { daysOf } from '@mooring/contract/shared/date-range';
import { useFormat, useT, wordsOf } from '../../ui/words.ts';
import { useStatic } from './filter-bar.tsx';
import { type Criteria, valuesOf } from './list-url.ts';
import type { Choice, Filter } from './types.ts';

interface Props<C extends Call> {
  call: C;
  filters: readonly Filter<C>[];
  criteria: Criteria;
}
const noChoices = (): { choices: readonly Choice[] } => ({ choices: [] });

function Words<C extends Call>({ call, filter, value }: { call: C; filter: Filter<C>; value: unknown }) {
  const t = useT();
  const format = useFormat();
  const fixed = useStatic({ spec: { call } }, filter);
  const isMoments = typeof value === 'object' && value !== null && !('in' in value);
  const chosen = isMoments || typeof value === 'boolean' ? [] : valuesOf(value);
  const asked = (filter.useChoices ?? noChoices)('', chosen);
  if (typeof value === 'boolean') return t(value ? 'kit.yes' : 'kit.no');
  if (isMoments) {
    const { from, to } = daysOf(value, format.timeZone);
    return `${from ?? '…'} – ${to ?? '…'}`;
  }
  const choices = fixed ?? asked.choices;
  return chosen
    .map((one) => {
      // What is a word by itself needs none: a choice may say more of it than is meant here.
      const choice = fixed || typeof one === 'number' ? choices.find(({ value: known }) => known === one) : undefined;
      return choice ? wordsOf(choice.label) : String(one);
    })
    .join(', ');
}

/** Criteria that are kept somewhere, by the names that the list's filters have. */
export function CriteriaWords<C extends Call>({ call, filters, criteria }: Props<C>) {
  const t = useT();
  return (
    <ul className="m-criteria">
      {filters
        .filter(({ field }) => criteria[field] !== undefined)
        .map((filter) => (
          <li key={filter.field}>
            <span className="m-muted">{t(filter.label)}</span> <Words call={call} filter={filter} value={criteria[filter.field]} />
          </li>
        ))}
    </ul>
  );
}
