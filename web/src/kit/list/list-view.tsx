import type { Call } from '@mooring/contract/kit/call';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { BesideList } from '../../ui/dialog.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Note, TableSkeleton } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { useT } from '../../ui/words.ts';
import { messageOf } from '../client.ts';
import { CallFailed } from '../dead-end.tsx';
import { isLeavingHeld } from '../leaving.ts';
import { Link } from '../link.tsx';
import { mayCall, useSession } from '../session.ts';
import { go } from '../view.ts';
import { isFigure, Value } from './cells.tsx';
import { ColumnsDrawer } from './columns-drawer.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar, SearchBox } from './filter-bar.tsx';
import { usePageActs } from './page-actions.tsx';
import { allowedRowActions, type RowActs, RowMenu, useRowActs } from './row-acts.tsx';
import { useRowKeys } from './row-keys.ts';
import { bulkActions, SelectionBar } from './selection-bar.tsx';
import { shownColumns } from './table-config.ts';
import type { ListSpec, RowOf } from './types.ts';
import { type List, type ListOptions, useList } from './use-list.ts';
import { Views } from './views.tsx';

/** Where the mouse opens a row anywhere, the keyboard needs a place: the first value that leads nowhere by itself. */
function openerOf<C extends Call>({ open, slots, columns }: ListSpec<C>, shown: readonly string[]): string | undefined {
  const named = shown.flatMap((key) => columns.find((one) => one.key === key) ?? []);
  if (!slots?.aside && (!open || named.some((one) => one.link))) return undefined;
  const plain = named.find((one) => !one.link && !one.cell && one.kind !== 'code');
  return (plain ?? named.find((one) => !one.link))?.key;
}

function useColumns<C extends Call>(list: List<C>): TableColumn<RowOf<C>>[] {
  const t = useT();
  const { spec } = list;
  const pick = useRef(list.pick);
  pick.current = list.pick;
  return useMemo(() => {
    const shown = shownColumns(list.config.choice);
    const opener = openerOf(
      spec,
      shown.map((one) => one.key),
    );
    return shown.flatMap((chosen) => {
      const column = spec.columns.find((one) => one.key === chosen.key);
      if (!column) return [];
      const { key, kind, machine, names, link, cell, sort } = column;
      return [
        {
          key: typeof sort === 'string' ? sort : key,
          title: t(column.title),
          width: chosen.width,
          resized: chosen.resized,
          minWidth: column.minWidth,
          pinned: chosen.pinned,
          end: isFigure(kind),
          sortable: Boolean(sort),
          cell: (row: RowOf<C>) => {
            const value = cell ? (
              cell(row)
            ) : (
              <Value value={(row as Record<string, unknown>)[key]} kind={kind} machine={machine} names={names} to={link?.(row)} />
            );
            if (key !== opener) return value;
            return spec.open ? (
              <Link to={spec.open(row)} className="m-row-open">
                {value}
              </Link>
            ) : (
              <button type="button" className="m-plain m-link m-row-open" aria-haspopup="dialog" onClick={() => pick.current(row)}>
                {value}
              </button>
            );
          },
        },
      ];
    });
  }, [list.config.choice, spec, t]);
}

/** A list in its place: a page of its own, or a part of another. */
export function ListView<C extends Call>({ spec, ...options }: { spec: ListSpec<C> } & ListOptions) {
  const list = useList(spec, options);
  const t = useT();
  const { search } = spec;
  const frame = useRef<HTMLDivElement>(null);
  useRowKeys(frame);
  const take = () => {
    list.inHand.current = true;
  };
  return (
    <div ref={frame} className="m-list m-panel" onInputCapture={take} onClickCapture={take}>
      <div className="m-toolbar">
        <div className="m-filters">
          {search ? <SearchBox list={list} field={search.field} hint={t(search.hint)} /> : null}
          <FilterBar list={list} />
        </div>
        <Tools list={list} />
      </div>
      <SelectionBar list={list} />
      <Rows list={list} />
      <Foot list={list} />
    </div>
  );
}

function Tools<C extends Call>({ list }: { list: List<C> }) {
  const t = useT();
  const [columns, setColumns] = useState(false);
  return (
    <span className="m-row m-tools">
      <IconButton icon="reload" label={t('kit.refresh')} busy={list.asked.fetching && !list.asked.loading} onClick={list.asked.retry} />
      <Views list={list} />
      {list.spec.export ? <ExportButton list={list} call={list.spec.export} /> : null}
      <IconButton icon="columns" label={t('kit.columns.title')} onClick={() => setColumns(true)} />
      <ColumnsDrawer list={list} open={columns} onClose={() => setColumns(false)} />
    </span>
  );
}

/** What a click anywhere on a row does: where the row leads, or where its first linked value does. */
function pickOf<C extends Call>({ spec, pick }: List<C>): ((row: RowOf<C>) => void) | undefined {
  const { open, slots, columns } = spec;
  if (open) return (row) => go(open(row));
  if (slots?.aside) return pick;
  const { link } = columns.find((one) => one.link) ?? {};
  if (!link) return undefined;
  return (row) => {
    const to = link(row);
    if (to !== undefined) go(to);
  };
}

/** The row that is shown beside its list. One that slides off the page stays for as long as something is typed there. */
function useBeside<C extends Call>({ rows, idOf, current }: List<C>): RowOf<C> | undefined {
  const [seen, setSeen] = useState<RowOf<C>>();
  const found = rows.find((row) => String(idOf(row)) === current);
  if (found && found !== seen) setSeen(found);
  return found ?? (seen && String(idOf(seen)) === current && isLeavingHeld() ? seen : undefined);
}

/** What people type into or are asked outlives the rows: a late answer brings others, or none. */
function Rows<C extends Call>({ list }: { list: List<C> }) {
  const { spec, idOf, pick } = list;
  const adding = usePageActs((spec.actions ?? []).filter((action) => !action.aside));
  const acts = useRowActs(list.nameOf);
  const beside = useBeside(list);
  const Aside = spec.slots?.aside;
  return (
    <>
      <TableOrWhyNot list={list} adding={adding.buttons} start={acts.start} />
      {adding.dialog}
      {acts.dialog}
      {Aside && beside ? (
        <BesideList>
          <Aside key={idOf(beside)} row={beside} onClose={() => pick(undefined)} />
        </BesideList>
      ) : null}
    </>
  );
}

interface TableProps<C extends Call> {
  readonly list: List<C>;
  readonly adding: ReactNode;
  readonly start: RowActs<RowOf<C>>['start'];
}
function TableOrWhyNot<C extends Call>({ list, adding, start }: TableProps<C>) {
  const t = useT();
  const session = useSession();
  const { spec, asked, rows } = list;
  const columns = useColumns(list);
  const filtered = Object.keys(list.chosen).length > 0;

  if (asked.error && !list.data) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!list.data) return <TableSkeleton rows={Math.min(list.size, 12)} columns={Math.min(columns.length, 7)} />;
  if (rows.length === 0 && filtered)
    return (
      <Empty icon="search" title={t('kit.list.noMatch')} text={t('kit.list.noMatchText')}>
        <Button onClick={list.clearFilters}>{t('kit.filter.clear')}</Button>
      </Empty>
    );
  if (rows.length === 0 && list.number > 1)
    return (
      <Empty title={t('kit.list.past')}>
        <Button onClick={() => list.go(1)}>{t('kit.list.first')}</Button>
      </Empty>
    );
  if (rows.length === 0) {
    const next = (spec.actions ?? []).filter((action) => !action.aside);
    // Most of these texts say what to do: to who may do nothing here they would be an errand for somebody else.
    const leads = next.length === 0 || next.some((action) => mayCall(action.call, session));
    return (
      <Empty
        title={t(spec.empty?.title ?? 'kit.list.empty')}
        text={spec.empty?.text && leads ? t(spec.empty.text) : undefined}
        {...(spec.empty?.icon ? { icon: spec.empty.icon } : {})}
      >
        {adding}
      </Empty>
    );
  }
  const { rowActions } = spec;
  const current = rows.find((row) => String(list.idOf(row)) === list.current);
  return (
    <>
      {asked.error ? (
        <Note
          tone="warn"
          action={
            <Button small onClick={asked.retry}>
              {t('kit.retry')}
            </Button>
          }
        >
          {t('kit.list.stale')} {messageOf(asked.error)}
        </Note>
      ) : null}
      <Table
        label={t(spec.title)}
        columns={columns}
        rows={rows}
        idOf={list.idOf}
        nameOf={list.nameOf}
        sort={list.sort}
        onSort={list.sortBy}
        singleLine={list.config.choice.isSingleLine}
        dim={asked.outdated}
        selection={bulkActions(list, session).length > 0 ? list.tableSelection : undefined}
        current={current ? list.idOf(current) : undefined}
        acts={
          rowActions && rows.some((row) => allowedRowActions(rowActions, row, session).length > 0)
            ? (row) => <RowMenu actions={rowActions} row={row} name={list.nameOf(row)} start={start} />
            : undefined
        }
        onPick={pickOf(list)}
        onResize={(key, width) => {
          const { choice, change } = list.config;
          const column = spec.columns.find((one) => (typeof one.sort === 'string' ? one.sort : one.key) === key);
          change({ ...choice, columns: choice.columns.map((one) => (one.key === column?.key ? { ...one, width, resized: true } : one)) });
        }}
      />
    </>
  );
}

function Foot<C extends Call>({ list }: { list: List<C> }) {
  const t = useT();
  const { data } = list;
  if (!data || (data.total === 0 && list.number === 1)) return null;
  return (
    <Pager
      of={t(list.spec.title)}
      number={list.number}
      size={list.size}
      total={data.total}
      capped={data.capped}
      hasNext={list.fromEnd === undefined ? data.next !== null : list.fromEnd > 0}
      fromEnd={list.fromEnd}
      shown={list.rows.length}
      onFromEnd={list.goFromEnd}
      hasPrev={list.number > 1 || data.prev !== null}
      onGo={list.go}
      onLast={list.goLast}
      onSize={list.resize}
    />
  );
}
