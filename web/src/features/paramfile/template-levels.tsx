import type { RowOf } from '@mooring/contract/kit/entity';
import { ParamLevel, paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { useMemo, useState } from 'react';
import { bind } from '../../kit/bind-page.ts';
import { ListPart } from '../../kit/list/list-part.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { columnsOf } from '../../kit/resource/entity-column.tsx';
import { GiveFor } from './give-for.tsx';
import { LevelDialog } from './level-dialog.tsx';
import type { PlaceOf } from './places.ts';
import type { TemplateRow } from './template-actions.ts';

type Row = RowOf<typeof ParamLevel>;

const levelsOf = (templateId: number, open: (place: PlaceOf) => void) =>
  ({
    code: 'paramLevel.list',
    title: 'paramLevel.title',
    call: paramLevelCalls.page,
    search: { field: 'text', hint: 'paramLevel.search' },
    columns: columnsOf(ParamLevel, [
      {
        key: 'place',
        width: 240,
        cell: (row: Row) => (
          <button type="button" className="m-plain m-link" onClick={() => open({ level: row.level, id: row.placeId })}>
            {row.place}
          </button>
        ),
      },
      'level',
      { key: 'given', kind: 'number' },
      { key: 'lockedCount', kind: 'number' },
      'deptName',
      'updatedBy',
      'updatedAt',
    ]),
    filters: [{ field: 'level', label: 'paramLevel.level', names: 'paramLevel.level.' }],
    actions: [
      {
        key: 'give',
        label: 'paramLevel.giveFor',
        icon: 'add',
        primary: true,
        call: paramLevelCalls.give,
        Dialog: bind<{ templateId: number }, { onClose: () => void }>(GiveFor, { templateId }),
      },
    ],
    rowActions: [
      {
        key: 'edit',
        label: 'paramLevel.edit',
        icon: 'edit',
        run: (row: Row) => open({ level: row.level, id: row.placeId }),
      },
      rowAction(paramLevelCalls.delete, {
        successText: 'done.deleted',
        label: 'paramLevel.delete',
        allowedAction: 'delete',
        danger: true,
        confirm: { text: 'paramLevel.delete.about' },
      }),
    ],
    nameOf: (row: Row) => row.place,
    export: paramLevelCalls.export,
    empty: { title: 'paramLevel.empty', text: 'paramLevel.emptyText', icon: 'template' },
  }) satisfies ListSpec<typeof paramLevelCalls.page>;

/** Where values of the template stand. */
export function TemplateLevels({ row }: { row: TemplateRow }) {
  const [place, setPlace] = useState<PlaceOf>();
  const spec = useMemo(() => levelsOf(row.id, setPlace), [row.id]);
  return (
    <>
      <ListPart spec={spec} fixed={{ templateId: row.id }} queryPrefix="v." />
      {place ? <LevelDialog templateId={row.id} place={place} onClose={() => setPlace(undefined)} /> : null}
    </>
  );
}
