import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import type { Machine } from '@mooring/contract/kit/state-machine';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { bindPage } from '../bind-page.ts';
import { messageOf } from '../client.ts';
import { CallFailed } from '../dead-end.tsx';
import { Value } from '../list/cells.tsx';
import { ActBar, useRowActs } from '../list/row-acts.tsx';
import type { CellKind, InWords, RowAction } from '../list/types.ts';
import { PageHead } from '../page-head.tsx';
import { useCall } from '../queries.ts';
import type { Page } from '../route.ts';
import { StateTag } from '../state-tag.tsx';
import { chooseSearch, idIn, searchNow, useView, type View } from '../view.ts';
import { nameView } from '../view-name.ts';

interface FactCommon<R> {
  readonly title: TextKey;
  readonly kind?: CellKind;
  readonly machine?: Machine;
  readonly names?: string;
  readonly link?: (row: R) => string | undefined;
  readonly when?: (row: R) => boolean;
}
export type Fact<R> = FactCommon<R> &
  (
    | { [K in keyof R & string]: { readonly key: K; readonly cell?: (row: R) => ReactNode } & InWords<R[K]> }[keyof R & string]
    | { readonly key: `_${string}`; readonly cell: (row: R) => ReactNode }
  );

export interface DetailTab<R> {
  readonly key: string;
  readonly title: TextKey;
  readonly icon?: IconName;
  readonly count?: (row: R) => string | undefined;
  readonly when?: (row: R) => boolean;
  readonly Body: ComponentType<{ row: R }>;
}

export interface DetailSpec<C extends Call> {
  readonly call: C;
  /** `{ id }` of the address otherwise. */
  readonly input?: (view: View) => InputOf<C>;
  readonly nameOf: (row: OutputOf<C>) => string;
  readonly state?: { readonly machine: Machine; readonly of: (row: OutputOf<C>) => string };
  readonly note?: (row: OutputOf<C>) => ReactNode;
  readonly facts?: readonly Fact<OutputOf<C>>[];
  readonly actions?: readonly RowAction<OutputOf<C>>[];
  /** So many of them stand open, and the first, what comes next, stands out. */
  readonly leads?: number;
  readonly tabs?: readonly DetailTab<OutputOf<C>>[];
  readonly every?: (row: OutputOf<C>) => number | undefined;
  readonly slots?: {
    readonly picture?: ComponentType<{ row: OutputOf<C> }>;
    /** Buttons of its own in the head, before the actions. */
    readonly acts?: ComponentType<{ row: OutputOf<C> }>;
    /** Between the head and the facts: a banner, a progress. */
    readonly above?: ComponentType<{ row: OutputOf<C> }>;
    /** Below the facts, where it has no tabs. */
    readonly below?: ComponentType<{ row: OutputOf<C> }>;
  };
}

/** One row: head, state, facts, acts, and tabs that the address holds. */
export function detailPage<C extends Call>(spec: DetailSpec<C>): Page {
  return bindPage(Detail<C>, { spec });
}

function Detail<C extends Call>({ spec }: { spec: DetailSpec<C> }) {
  const t = useT();
  const view = useView();
  const input = (spec.input?.(view) ?? { id: idIn(view) }) as InputOf<C>;
  const asked = useCall(spec.call, input);
  const every = asked.data === undefined ? undefined : spec.every?.(asked.data);
  useCall(spec.call, input, { every, enabled: every !== undefined });
  if (asked.data === undefined) {
    return asked.error ? <CallFailed error={asked.error} onRetry={asked.retry} /> : <PageSkeleton />;
  }
  const again = (
    <Button small onClick={asked.retry}>
      {t('kit.retry')}
    </Button>
  );
  const stale = asked.error ? (
    <Note tone="warn" action={again}>
      {t('kit.list.stale')} {messageOf(asked.error)}
    </Note>
  ) : null;
  return <DetailBody spec={spec} row={asked.data} stale={stale} />;
}

function DetailBody<C extends Call>({ spec, row, stale }: { spec: DetailSpec<C>; row: OutputOf<C>; stale: ReactNode }) {
  const t = useT();
  const view = useView();
  const name = spec.nameOf(row);
  const acts = useRowActs<OutputOf<C>>(spec.nameOf);
  useEffect(() => nameView(view.path, name), [view.path, name]);
  const tabs = (spec.tabs ?? []).filter((tab) => tab.when?.(row) ?? true);
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  const { picture: Picture, acts: Acts, above: Above, below: Below } = spec.slots ?? {};
  const facts = (spec.facts ?? []).filter((fact) => fact.when?.(row) ?? true);
  const state = spec.state ? <StateTag machine={spec.state.machine} code={spec.state.of(row)} /> : null;
  return (
    <div className="m-page">
      <PageHead
        before={Picture ? <Picture row={row} /> : null}
        title={name}
        note={
          <>
            {state}
            {spec.note?.(row)}
          </>
        }
      >
        {Acts ? <Acts row={row} /> : null}
        <ActBar actions={spec.actions ?? []} row={row} name={name} start={acts.start} leads={spec.leads} />
      </PageHead>
      {stale}
      {Above ? <Above row={row} /> : null}
      {facts.length > 0 ? <Facts facts={facts} row={row} /> : null}
      {Below ? <Below row={row} /> : null}
      {active ? (
        <Tabs
          active={active.key}
          onChange={(key) => openTab(view, key === tabs[0]?.key ? undefined : key)}
          items={tabs.map((tab) => ({
            key: tab.key,
            label: t(tab.title),
            icon: tab.icon,
            count: tab.count?.(row),
            children: tab.key === active.key ? <tab.Body row={row} /> : null,
          }))}
        />
      ) : null}
      {acts.dialog}
    </div>
  );
}

/** The tab goes into the address. What a list in the other tab kept there stays for the way back. */
function openTab(view: View, key: string | undefined): void {
  const next = searchNow(view);
  if (key === undefined) next.delete('tab');
  else next.set('tab', key);
  chooseSearch(view, next);
}

/** Names and values, in as many columns as there is room for. */
export function Facts<R>({ facts, row }: { facts: readonly Fact<R>[]; row: R }) {
  const t = useT();
  return (
    <dl className="m-facts m-panel">
      {facts.map((fact) => (
        <div key={fact.key}>
          <dt>{t(fact.title)}</dt>
          <dd>
            {fact.cell ? (
              fact.cell(row)
            ) : (
              <Value
                value={(row as Record<string, unknown>)[fact.key]}
                kind={fact.kind}
                machine={fact.machine}
                names={fact.names}
                to={fact.link?.(row)}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
