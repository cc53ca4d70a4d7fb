import { lazy, type ReactNode, Suspense } from 'react';
import { Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { type CardSpec, spanOf } from './card-spec.ts';
import type { Board } from './use-board.ts';
import './board.css';

/** What moves cards is loaded when somebody wants to. */
const Arranged = lazy(() => import('./arrange.tsx').then((found) => ({ default: found.Arranged })));

interface BoardViewProps<C extends CardSpec> {
  readonly board: Board;
  readonly cards: readonly C[];
  readonly arranging: boolean;
  readonly draw: (card: C) => ReactNode;
}

/** Cards in the person's order; while they are arranged each has a handle. */
export function BoardView<C extends CardSpec>({ board, cards, arranging, draw }: BoardViewProps<C>) {
  const t = useT();
  const shown = board.shown.flatMap((key) => cards.find((card) => card.key === key) ?? []);
  if (shown.length === 0 && !arranging) return <Empty icon="columns" title={t('kit.board.empty')} text={t('kit.board.empty.text')} />;
  const plain = (
    <div className="m-board">
      {shown.map((card) => (
        <div key={card.key} className={spanOf(card)}>
          {draw(card)}
        </div>
      ))}
    </div>
  );
  if (!arranging) return plain;
  return (
    <Suspense fallback={plain}>
      <Arranged board={board} cards={cards} shown={shown} draw={draw as (card: CardSpec) => ReactNode} />
    </Suspense>
  );
}
