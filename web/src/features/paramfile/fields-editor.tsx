import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { templateLimits } from '@mooring/contract/paramfile/template-fields';
import { useRef } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { Button } from '../../ui/button.tsx';
import { useFieldLink } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import { FieldCard } from './field-card.tsx';
import { type FieldDraft, moved, newField, problemsOf } from './field-draft.ts';

/** A name of its own for each parameter, whatever is typed into it and wherever it goes. */
function useNames() {
  const names = useRef(new WeakMap<FieldDraft, string>());
  const last = useRef(0);
  const nameOf = (row: FieldDraft): string => {
    const known = names.current.get(row);
    if (known) return known;
    last.current += 1;
    const made = `field-${last.current}`;
    names.current.set(row, made);
    return made;
  };
  return { nameOf, same: (row: FieldDraft, name: string) => names.current.set(row, name) };
}

/** The parameters of a template, each a card; in order by a handle with the mouse, or with Space and the arrow keys. */
export function FieldsEditor({ value, onChange }: ControlPart<readonly FieldDraft[] | undefined>) {
  const t = useT();
  const isJudged = useFieldLink().invalid === true;
  const { nameOf, same } = useNames();
  // The newest ones: two changes may come before anything is drawn again.
  const rows = useRef<readonly FieldDraft[]>([]);
  rows.current = value ?? [];
  const change = (make: (now: readonly FieldDraft[]) => readonly FieldDraft[]) => {
    rows.current = make(rows.current);
    onChange(rows.current);
  };
  const named = rows.current.map(nameOf);
  const placeOf = (name: unknown) => rows.current.findIndex((row) => nameOf(row) === name);
  const put = (name: string, next: FieldDraft) => {
    same(next, name);
    change((now) => now.map((row) => (nameOf(row) === name ? next : row)));
  };
  const move = (name: unknown, to: number) => {
    const from = placeOf(name);
    if (from >= 0 && to >= 0 && to < rows.current.length) change((now) => moved(now, from, to));
  };
  const titleOf = (name: unknown) => {
    const at = placeOf(name);
    return String(rows.current[at]?.key || t('paramField.no', { no: at + 1 }));
  };
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const said = (name: unknown, at: unknown) => ({ card: titleOf(name), place: placeOf(at) + 1, all: rows.current.length });
  const announcements = {
    onDragStart: ({ active }: Moving) => t('kit.board.card.picked', said(active.id, active.id)),
    onDragOver: ({ active, over }: Moving) => (over ? t('kit.board.card.over', said(active.id, over.id)) : undefined),
    onDragEnd: ({ active, over }: Moving) => t('kit.board.card.dropped', said(active.id, (over ?? active).id)),
    onDragCancel: ({ active }: Moving) => t('kit.board.card.returned', { card: titleOf(active.id) }),
  };
  const problems = problemsOf(rows.current);
  return (
    <div className="m-stack">
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements, screenReaderInstructions: { draggable: t('paramField.drag') } }}
        onDragEnd={({ active, over }) => over && move(active.id, placeOf(over.id))}
      >
        <SortableContext items={named} strategy={verticalListSortingStrategy}>
          {rows.current.map((row, at) => {
            const name = nameOf(row);
            return (
              <FieldCard
                key={name}
                name={name}
                row={row}
                at={at}
                of={rows.current.length}
                problems={problems[at] ?? {}}
                judged={isJudged}
                put={(next) => put(name, next)}
                onMove={(by) => move(name, placeOf(name) + by)}
                onRemove={() => change((now) => now.filter((one) => nameOf(one) !== name))}
              />
            );
          })}
        </SortableContext>
      </DndContext>
      {rows.current.length < templateLimits.fields ? (
        <div>
          <Button small icon="add" onClick={() => change((now) => [...now, { ...newField }])}>
            {t('paramField.add')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
interface Moving {
  readonly active: { readonly id: unknown };
  readonly over?: { readonly id: unknown } | null;
}
