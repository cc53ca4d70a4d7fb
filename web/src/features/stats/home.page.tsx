import { taskGroups } from '@mooring/contract/engines/rollout/task-kind';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { homeCalls } from '@mooring/contract/stats/calls';
import { useState } from 'react';
import { BoardView } from '../../kit/board/board.tsx';
import { useBoard } from '../../kit/board/use-board.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useMadeOf } from '../../kit/live.ts';
import { page } from '../../kit/page.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { refresh, useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { cards } from './cards.ts';
import { Checklist } from './checklist.tsx';
import { Filters } from './filters.tsx';
import { useAsked } from './use-asked.ts';
import { WallButton } from './wall/wall-button.tsx';
import './home.css';

/** Groups whose rows the figures are made of. */
const madeOf = ['/device', ...releaseKinds.flatMap((kind) => [...taskGroups(kind), kind.paths.packages ?? []].flat())];

function greeting(hour: number) {
  return hour < 12 ? 'welcome.morning' : hour < 18 ? 'welcome.day' : 'welcome.evening';
}

function Home() {
  const t = useT();
  const session = useSession();
  const asked = useAsked();
  const begun = useCall(homeCalls.overview, {}, { every: 60 });
  const mine = cards.filter((card) => mayCall(card.call, session));
  const board = useBoard(
    'home.cards',
    mine.map((card) => card.key),
  );
  const [arranging, setArranging] = useState(false);
  useMadeOf('/home', madeOf);
  const has = begun.data?.has;
  const isNew = has !== undefined && !has.device;
  return (
    <>
      <PageHead title={t(greeting(new Date().getHours()), { name: session.user?.userName ?? '' })}>
        {isNew || !has ? null : (
          <>
            <Filters asked={asked} />
            <IconButton icon="reload" label={t('home.refresh')} onClick={() => ['/home', '/statistic', '/sys/menus'].forEach(refresh)} />
            <WallButton />
            <Button
              icon={arranging ? 'check' : 'columns'}
              look={arranging ? 'primary' : 'default'}
              onClick={() => setArranging(!arranging)}
            >
              {t(arranging ? 'kit.board.done' : 'kit.board.arrange')}
            </Button>
          </>
        )}
      </PageHead>
      {begun.error && !has ? <CallFailed part error={begun.error} onRetry={begun.retry} /> : null}
      {begun.loading ? <PageSkeleton /> : null}
      {has && !Object.values(has).every(Boolean) && session.platform === 'centre' ? <Checklist has={has} /> : null}
      {isNew && session.platform === 'manager' ? <Checklist has={has} /> : null}
      {has && !isNew && board.ready ? (
        <BoardView board={board} cards={mine} arranging={arranging} draw={({ Body }) => <Body asked={asked} />} />
      ) : null}
    </>
  );
}

export const homePage = page({ Body: Home });
