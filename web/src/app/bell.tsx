import { messageCalls } from '@mooring/contract/message/calls';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { hrefOf } from '../kit/base.ts';
import { api } from '../kit/client.ts';
import { follow } from '../kit/link.tsx';
import { useActed, useCall } from '../kit/queries.ts';
import { useSession } from '../kit/session.ts';
import { go } from '../kit/view.ts';
import { IconButton } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useT } from '../ui/words.ts';

const places = { centre: '/message', manager: '/manager/message' } as const;
const MOST = 99;
/** Of a popup's text; the whole is one click away. */
const MOST_TEXT = 240;
const NoticePopup = lazy(() => import('../features/message/notice-popup.tsx').then((found) => ({ default: found.NoticePopup })));
const MessagePopup = lazy(() => import('../features/message/notice-popup.tsx').then((found) => ({ default: found.MessagePopup })));

/** Specification, section 7, effects: an act may have read, removed or raised a message. */
const AFTER_ACT_MS = 500;

/** How many messages are unread, live; a popup is shown once, until it is closed. */
export function Bell() {
  const t = useT();
  const to = places[useSession().platform];
  const { data, retry } = useCall(messageCalls.count, {}, { every: 60 });
  useActed(AFTER_ACT_MS, retry);
  const shown = useRef(new Set<number>());
  const count = data?.unreadNum ?? 0;
  useEffect(() => {
    const fresh = (data?.popups ?? []).filter((one) => !one.stays && !shown.current.has(one.id));
    if (fresh.length === 0) return;
    for (const one of fresh) {
      shown.current.add(one.id);
      const text = one.text.length > MOST_TEXT ? `${one.text.slice(0, MOST_TEXT)}…` : one.text;
      const open = { label: t('message.open'), onClick: () => go(`${to}?row=${one.id}`) };
      toast(one.priority === '1' ? 'warning' : 'info', `${one.title}: ${text}`, open, true);
    }
    void api(messageCalls.popped, { ids: fresh.map((one) => one.id) }, { hidden: true }).catch(() => {});
  }, [data, to, t]);
  const [read, setRead] = useState<ReadonlySet<number>>(new Set());
  const notices = data?.notices;
  useEffect(() => {
    const fresh = (notices ?? []).filter((one) => one.priority !== '1' && !shown.current.has(-one.id));
    if (fresh.length === 0) return;
    for (const one of fresh) {
      shown.current.add(-one.id);
      const open = { label: t('message.open'), onClick: () => go(`${to}?tab=notices&n.row=${one.id}`) };
      toast('info', `${one.title}: ${one.text}`, open, true);
    }
    void api(messageCalls.poppedNotices, { ids: fresh.map((one) => one.id) }, { hidden: true }).catch(() => {});
  }, [notices, to, t]);
  // Notices stand by numbers below nought here: the two kinds are counted apart.
  const notice = notices?.find((one) => one.priority === '1' && !read.has(-one.id));
  const [message, ...more] = data?.popups.filter((one) => one.stays && !read.has(one.id)) ?? [];
  const noteRead = (...ids: readonly number[]) => setRead((now) => new Set([...now, ...ids]));
  return (
    <span className="m-bell">
      <IconButton icon="alert" label={t('message.bell', { count })} href={hrefOf(to)} onClick={follow(to)} />
      {count > 0 ? (
        <span className="m-bell-count" aria-hidden="true">
          {count > MOST ? `${MOST}+` : count}
        </span>
      ) : null}
      <Suspense fallback={null}>
        {notice ? (
          <NoticePopup key={-notice.id} of={notice} onRead={() => noteRead(-notice.id)} />
        ) : message ? (
          <MessagePopup key={message.id} of={message} more={more.map(({ id }) => id)} onRead={noteRead} />
        ) : null}
      </Suspense>
    </span>
  );
}
