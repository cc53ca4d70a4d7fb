import type { PublishPlace } from '@mooring/contract/engines/rollout/publish-place';
import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { Empty, Note } from '../../ui/states.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Place = PublishPlace;
const tones = { waiting: 'busy', there: 'good', failed: 'bad' } as const satisfies Record<Place['state'], Tone>;
const { publishing, partly } = packageMachine.states;
const none = '–';
/** What is known of one that has it is from before. */
const shownOf = ({ state, checking }: Place) => (checking && state === 'there' ? 'waiting' : state);

/** Where something that is published can be downloaded, and what is wrong where it can't. Apps have the codes of packages. */
export function Places({ places, publishState }: { places: readonly Place[]; publishState: string }) {
  const t = useT();
  const format = useFormat();
  const nameOf = ({ name, url }: Place) => (url === '' ? t('place.own') : name || t('place.above'));
  const problemOf = ({ problem, detail }: Place) =>
    problem === null ? none : [t(`place.problem.${problem}`), detail && `(${detail})`].filter(Boolean).join(' ');
  const isAgain = publishState !== publishing.code && places.some(({ checking }) => checking);
  if (places.length === 0) return <Empty icon="download" title={t('place.none')} />;
  return (
    <div className="m-stack">
      {publishState === publishing.code ? <Note tone="info">{t('place.publishing')}</Note> : null}
      {isAgain ? <Note tone="info">{t('place.checking')}</Note> : null}
      {publishState === partly.code && !isAgain ? <Note tone="warn">{t('place.partly')}</Note> : null}
      <Table
        label={t('place.title')}
        rows={places}
        idOf={({ name, url }) => `${name} ${url}`}
        nameOf={nameOf}
        columns={[
          { key: 'name', title: t('place.at'), width: 180, cell: nameOf },
          { key: 'url', title: t('place.url'), width: 260, cell: ({ url }) => url || none },
          {
            key: 'state',
            title: t('place.state'),
            width: 150,
            cell: (place) => <StatusTag tone={tones[shownOf(place)]}>{t(`place.state.${shownOf(place)}`)}</StatusTag>,
          },
          { key: 'problem', title: t('place.problem'), width: 380, cell: problemOf },
          { key: 'attempts', title: t('place.attempts'), width: 110, end: true, cell: ({ attempts }) => format.number(attempts) },
          {
            key: 'triedAt',
            title: t('place.triedAt'),
            width: 170,
            cell: ({ triedAt }) => (triedAt === null ? none : format.moment(String(triedAt), 'second')),
          },
        ]}
      />
    </div>
  );
}
