import { menuCalls, type NavNode } from '@mooring/contract/access/calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { Link } from '../../../kit/link.tsx';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../../ui/words.ts';
import { Answered, Card } from './card.tsx';

interface Waiting {
  readonly key: string;
  readonly to: string;
  readonly name: string;
  readonly count: number;
}

const pagesOf = (nodes: readonly NavNode[]): NavNode[] => nodes.flatMap((node) => [node, ...pagesOf(node.children)]);
const messages = { centre: '/message', manager: '/manager/message' } as const;

/** What waits for this person: the figures beside the menu's entries, and what isn't read. */
export function WaitingCard() {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const { platform } = useSession();
  const counts = useCall(menuCalls.counts, {}, { every: 60 });
  const nav = useCall(menuCalls.nav, { menuType: platform });
  const unread = useCall(messageCalls.count, {}, { every: 60 }).data?.unreadNum ?? 0;
  const waiting: Waiting[] = [
    ...pagesOf(nav.data ?? []).flatMap((node) => {
      const count = counts.data?.[node.code] ?? 0;
      return count > 0 && node.url ? [{ key: node.code, to: node.url, name: loose(`home.waiting.${node.code}`, node.name), count }] : [];
    }),
    ...(unread > 0 ? [{ key: 'messages', to: messages[platform], name: t('home.waiting.messages'), count: unread }] : []),
  ];
  return (
    <Card title={t('home.waiting')}>
      <Answered of={counts} height={120}>
        {() =>
          waiting.length === 0 ? (
            <Empty icon="done" title={t('home.waiting.none')} text={t('home.waiting.none.text')}>
              <Offer call={messageCalls.count} to={messages[platform]}>
                {t('home.messages.open')}
              </Offer>
            </Empty>
          ) : (
            <ul className="m-home-rows">
              {waiting.map(({ key, to, name, count }) => (
                <li key={key}>
                  <Link to={to} className="m-home-row">
                    <span className="m-grow">{name}</span>
                    <b className="m-num">{format.number(count)}</b>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}
