import {
  closestCenter,
  DndContext,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useT } from '../../ui/words.ts';
import { type CardSpec, spanOf } from './card-spec.ts';
import type { Board } from './use-board.ts';

interface ArrangedProps {
  readonly board: Board;
  readonly cards: readonly CardSpec[];
  readonly shown: readonly CardSpec[];
  readonly draw: (card: CardSpec) => ReactNode;
}

function Movable({ card, board, children }: { card: CardSpec; board: Board; children: ReactNode }) {
  const t = useT();
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: card.key });
  const name = t(card.title);
  return (
    <div
      ref={setNodeRef}
      className={`${spanOf(card)} m-card-arranged${isDragging ? ' m-card-dragged' : ''}`}
      style={{ transform: CSS.Translate.toString(transform) ?? '', transition: transition ?? '' }}
    >
      <div className="m-card-grip">
        <button type="button" ref={setActivatorNodeRef} className="m-plain m-card-handle" {...attributes} {...listeners}>
          <Icon name="menu" />
          <span>{t('kit.board.card.drag', { card: name })}</span>
        </button>
        <IconButton small icon="close" label={t('kit.board.card.hide', { card: name })} onClick={() => board.show(card.key, false)} />
      </div>
      <div inert>{children}</div>
    </div>
  );
}

const forward = () => (document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight');
const backward = () => (document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft');

/** Arrow keys go from place to place in the order of reading: cards of several widths have no neighbour that a direction names. */
const inOrder =
  (keys: readonly string[]): KeyboardCoordinateGetter =>
  (event, { context: { active, over, droppableRects, collisionRect } }) => {
    const step = [forward(), 'ArrowDown'].includes(event.code) ? 1 : [backward(), 'ArrowUp'].includes(event.code) ? -1 : 0;
    if (step === 0 || !collisionRect) return undefined;
    event.preventDefault();
    const target = droppableRects.get(keys[keys.indexOf(String((over ?? active)?.id)) + step] ?? '');
    if (!target) return undefined;
    return {
      x: target.left + (target.width - collisionRect.width) / 2,
      y: target.top + (target.height - collisionRect.height) / 2,
    };
  };

/** The cards while they are arranged: by a handle with the mouse, or with Space and the arrow keys; what is said of it is heard too. */
export function Arranged({ board, cards, shown, draw }: ArrangedProps) {
  const t = useT();
  const keys = shown.map((card) => card.key);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: inOrder(keys) }),
  );
  const nameOf = (key: unknown) => {
    const card = cards.find((one) => one.key === key);
    return card ? t(card.title) : '';
  };
  const at = (key: unknown) => ({ place: keys.indexOf(String(key)) + 1, all: keys.length });
  const announcements = {
    onDragStart: ({ active }: { active: { id: unknown } }) => t('kit.board.card.picked', { card: nameOf(active.id), ...at(active.id) }),
    onDragOver: ({ active, over }: Moved) => (over ? t('kit.board.card.over', { card: nameOf(active.id), ...at(over.id) }) : undefined),
    onDragEnd: ({ active, over }: Moved) => t('kit.board.card.dropped', { card: nameOf(active.id), ...at((over ?? active).id) }),
    onDragCancel: ({ active }: { active: { id: unknown } }) => t('kit.board.card.returned', { card: nameOf(active.id) }),
  };
  const hidden = board.hidden.flatMap((key) => cards.find((card) => card.key === key) ?? []);
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('kit.board.hint') } }}
      onDragEnd={({ active, over }) => over && board.place(String(active.id), String(over.id))}
    >
      <div className="m-panel m-panel-body m-row m-row-wrap">
        <p className="m-muted m-grow">{t('kit.board.hint')}</p>
        <Button small onClick={board.reset}>
          {t('kit.board.reset')}
        </Button>
        {hidden.length > 0 ? (
          <div className="m-row m-row-wrap m-board-hidden">
            <h2 className="m-small m-muted">{t('kit.board.hidden')}</h2>
            {hidden.map((card) => (
              <Button key={card.key} small icon="add" onClick={() => board.show(card.key, true)}>
                {t('kit.board.card.show', { card: t(card.title) })}
              </Button>
            ))}
          </div>
        ) : null}
      </div>
      <SortableContext items={keys} strategy={rectSortingStrategy}>
        <div className="m-board">
          {shown.map((card) => (
            <Movable key={card.key} card={card} board={board}>
              {draw(card)}
            </Movable>
          ))}
        </div>
      </SortableContext>
    </DndContext>
  );
}

interface Moved {
  readonly active: { readonly id: unknown };
  readonly over: { readonly id: unknown } | null;
}
