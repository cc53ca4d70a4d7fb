import type { Call } from '@mooring/contract/kit/call';
import { limitsOf } from '@mooring/contract/kit/issue-words';
import { type DayRange, daysOf, wallsOf } from '@mooring/contract/shared/date-range';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { MultiSelect, Select, TextInput } from '../../ui/controls.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { DateRange, MinuteRange } from '../../ui/late-dates.tsx';
import { useNarrow } from '../../ui/media.ts';
import { StatisticRange } from '../../ui/statistic-range.tsx';
import { useFormat, useLooseT, useT, wordsOf } from '../../ui/words.ts';
import { useStateName } from '../state-tag.tsx';
import { takesText } from '../takes-text.ts';
import { WayToMade } from '../way-to-made.tsx';
import { exactOf, isRange, querySchema, rangeFor, valuesOf } from './list-url.ts';
import type { Choice, Filter, ListSpec } from './types.ts';
import type { List } from './use-list.ts';

const TYPING_MS = 300;

/** What filters are set on: a list, or criteria that are kept somewhere else. */
export type Filtering<C extends Call> = Pick<List<C>, 'chosen' | 'filter'> & { readonly spec: Pick<ListSpec<C>, 'call'> };

/** What a text filter takes at most; a longer text is kept and told, and asks for nothing. */
function useTooLong<C extends Call>(list: Filtering<C>, field: string, typed: string): string | undefined {
  const t = useT();
  const { max } = limitsOf(querySchema(list.spec.call).criteria[field]);
  return max !== undefined && typed.trim().length > max ? t('kit.search.tooLong', { limit: max }) : undefined;
}

/** What is typed goes into the address when the person pauses. */
export function SearchBox<C extends Call>({
  list,
  field,
  hint,
}: {
  list: Filtering<C> & Pick<List<C>, 'at'>;
  field: string;
  hint: string;
}) {
  const kept = String(list.chosen[field] ?? list.at(field) ?? '');
  const [typed, setTyped] = useState(kept);
  const tooLong = useTooLong(list, field, typed);
  const box = useRef<{ focus(): void; input: HTMLInputElement | null }>(null);
  const sent = useRef(kept);
  useEffect(() => {
    if (kept !== sent.current) setTyped(kept);
    sent.current = kept;
  }, [kept]);
  // What was chosen of other filters while somebody typed stays chosen.
  const send = useEffectEvent((text: string) => {
    sent.current = text;
    list.filter({ [field]: text || undefined });
  });
  useEffect(() => {
    if (typed.trim() === sent.current || tooLong) return;
    const timer = setTimeout(() => send(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, tooLong]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (event.target as Element).closest?.('input,textarea,select,[contenteditable]')
      )
        return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div className="m-search">
      <TextInput
        focusRef={box}
        value={typed}
        onChange={setTyped}
        icon="search"
        label={hint}
        placeholder={hint}
        clear
        suffix={
          typed ? null : (
            <span className="m-kbd" aria-hidden="true">
              /
            </span>
          )
        }
      />
      {tooLong ? (
        <p className="m-field-error m-small" role="alert">
          {tooLong}
        </p>
      ) : null}
    </div>
  );
}

const enumOf = (schema: unknown): string[] => {
  const def = (schema as { def?: { entries?: Record<string, string>; innerType?: unknown; options?: unknown[] } } | undefined)?.def;
  if (!def) return [];
  return def.entries ? Object.values(def.entries) : enumOf(def.innerType ?? def.options?.[0]);
};

export function useStatic<C extends Call>(list: Pick<Filtering<C>, 'spec'>, filter: Filter<C>): readonly Choice[] | undefined {
  const stateName = useStateName();
  const loose = useLooseT();
  if (filter.choices) return filter.choices;
  const { machine, names } = filter;
  if (machine) return Object.values(machine.states).map(({ code }) => ({ value: code, label: { text: stateName(machine, code) } }));
  if (names !== undefined)
    return enumOf(querySchema(list.spec.call).criteria[filter.field]).map((value) => ({
      value,
      label: { text: loose(names + value, value) },
    }));
  return undefined;
}

type UseChoices = NonNullable<Filter<Call>['useChoices']>;
type Found = ReturnType<UseChoices>;

/** Asks for choices, and only once somebody wants them. */
function ChoiceSource({
  useChoices,
  text,
  chosen,
  onFound,
}: {
  useChoices: UseChoices;
  text: string;
  chosen: readonly (string | number)[];
  onFound: (found: Found) => void;
}) {
  const found = useChoices(text, chosen);
  const told = useRef('');
  useEffect(() => {
    const key = JSON.stringify(found);
    if (key !== told.current) onFound(found);
    told.current = key;
  });
  return null;
}

function FilterControl<C extends Call>({ list, filter, bare }: { list: Filtering<C>; filter: Filter<C>; bare: boolean }) {
  const t = useT();
  const { timeZone } = useFormat();
  const [text, setText] = useState('');
  const fixed = useStatic(list, filter);
  const value = list.chosen[filter.field];
  const chosen = valuesOf(typeof value === 'boolean' ? String(value) : value);
  const [wanted, setWanted] = useState(false);
  const [asked, setAsked] = useState<Found>({ choices: [] });
  const source =
    filter.useChoices && (wanted || chosen.length > 0) ? (
      <ChoiceSource useChoices={filter.useChoices} text={text} chosen={chosen} onFound={setAsked} />
    ) : null;
  const label = t(filter.label);
  const schema = querySchema(list.spec.call).criteria[filter.field];
  const kind = filter.kind ?? (isRange(schema) ? 'days' : fixed || filter.useChoices ? 'multi' : 'text');
  const put = (next: unknown) => list.filter({ [filter.field]: next });
  const putRange = (next: DayRange) => put(rangeFor(schema, next, timeZone));
  const options = (fixed ?? asked.choices).map((choice) => ({ value: choice.value, label: wordsOf(choice.label) }));
  const named = bare ? { label, placeholder: label } : {};
  if (kind === 'minutes')
    return <MinuteRange {...(bare ? { label } : {})} value={wallsOf((value ?? {}) as never, timeZone)} onChange={putRange} />;
  if (kind === 'days' || kind === 'months' || kind === 'statistic') {
    const range = {
      ...(bare ? { label } : {}),
      value: daysOf((value ?? {}) as never, timeZone),
      onChange: putRange,
    };
    return kind === 'statistic' ? <StatisticRange {...range} /> : <DateRange {...range} months={kind === 'months'} />;
  }
  if (kind === 'yes')
    return (
      <Select
        {...named}
        clear
        value={chosen[0] as string | undefined}
        onChange={(next) => put(next === undefined ? undefined : next === 'true')}
        options={[
          { value: 'true', label: t('kit.yes') },
          { value: 'false', label: t('kit.no') },
        ]}
      />
    );
  if (kind === 'text')
    return (
      <TypedFilter {...named} list={list} field={filter.field} value={String(value ?? '')} onChange={(next) => put(next || undefined)} />
    );
  const more = {
    options,
    clear: true,
    busy: asked.busy ?? false,
    ...(asked.madeOn ? { nothing: <WayToMade madeOn={asked.madeOn} /> } : {}),
    ...(filter.useChoices && takesText(filter.useChoices) ? { onSearch: setText } : {}),
    ...(filter.useChoices ? { onOpen: () => setWanted(true) } : {}),
    ...named,
  };
  const control =
    kind === 'one' ? (
      <Select {...more} value={chosen[0]} onChange={put} />
    ) : (
      <MultiSelect {...more} value={chosen} onChange={(next) => put(exactOf(next))} />
    );
  return (
    <>
      {source}
      {control}
    </>
  );
}

function TypedFilter<C extends Call>({
  list,
  field,
  value,
  onChange,
  label,
  placeholder,
}: {
  list: Filtering<C>;
  field: string;
  value: string;
  onChange: (value: string) => void;
  label?: string;
  placeholder?: string;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const tooLong = useTooLong(list, field, typed);
  const send = () => !tooLong && typed.trim() !== value && onChange(typed.trim());
  return (
    <>
      <TextInput
        value={typed}
        onChange={(next) => {
          setTyped(next);
          if (next === '') onChange('');
        }}
        onBlur={send}
        onEnter={send}
        clear
        {...(label ? { label } : {})}
        {...(placeholder ? { placeholder } : {})}
      />
      {tooLong ? (
        <p className="m-field-error m-small" role="alert">
          {tooLong}
        </p>
      ) : null}
    </>
  );
}

/** Each filter below its name. */
export function FilterFields<C extends Call>({ list, filters }: { list: Filtering<C>; filters: readonly Filter<C>[] }) {
  const t = useT();
  return filters.map((filter) => (
    <Field key={filter.field} label={t(filter.label)}>
      <FilterControl list={list} filter={filter} bare={false} />
    </Field>
  ));
}

/** More would push the rows down; the others are a click away. */
const MOST_INLINE = 4;

/** A list, or whatever else is filtered as one is. */
export type Filtered<C extends Call> = Pick<List<C>, 'chosen' | 'filter' | 'clearFilters'> & {
  readonly spec: Pick<ListSpec<C>, 'call' | 'filters'>;
};

export function FilterBar<C extends Call>({ list }: { list: Filtered<C> }) {
  const t = useT();
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  const [more, setMore] = useState(false);
  const filters = list.spec.filters ?? [];
  const active = filters.filter((filter) => list.chosen[filter.field] !== undefined).length;
  if (filters.length === 0) return null;
  if (narrow) {
    return (
      <>
        <Button icon="filter" onClick={() => setOpen(true)}>
          {active > 0 ? t('kit.filter.active', { count: active }) : t('kit.filter.title')}
        </Button>
        <Drawer
          open={open}
          title={t('kit.filter.title')}
          onClose={() => setOpen(false)}
          footer={
            <>
              <Button onClick={list.clearFilters} disabled={active === 0}>
                {t('kit.filter.clear')}
              </Button>
              <Button look="primary" onClick={() => setOpen(false)}>
                {t('kit.filter.show')}
              </Button>
            </>
          }
        >
          <div className="m-stack">
            <FilterFields list={list} filters={filters} />
          </div>
        </Drawer>
      </>
    );
  }
  const inline =
    filters.length <= MOST_INLINE || more
      ? filters
      : filters.filter((filter, at) => at < MOST_INLINE - 1 || list.chosen[filter.field] !== undefined);
  return (
    <>
      {inline.map((filter) => (
        <div key={filter.field} className="m-filter">
          <FilterControl list={list} filter={filter} bare />
        </div>
      ))}
      {filters.length > MOST_INLINE ? (
        <Button look="quiet" icon="filter" onClick={() => setMore(!more)}>
          {t(more ? 'kit.filter.less' : 'kit.filter.more')}
        </Button>
      ) : null}
      {active > 0 ? <IconButton icon="close" label={t('kit.filter.clear')} onClick={list.clearFilters} /> : null}
    </>
  );
}
