import { messageCalls } from '@mooring/contract/message/calls';
import { useEffect, useRef } from 'react';
import { hrefOf } from '../kit/base.ts';
import { api } from '../kit/client.ts';
import { follow } from '../kit/link.tsx';
import { useActed, useCall } from '../kit/queries.ts';
import { useSession } from '../kit/session.ts';
import { IconButton } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useT } from '../ui/words.ts';

const places = { centre: '/message', manager: '/manager/message' } as const;
const MOST = 99;
/** Specification, section 7, effects: an act may have read, removed or raised a message. */
const AFTER_ACT_MS = 500;

/** How many messages are unread, live; a popup is shown once. */
export function Bell() {
  const t = useT();
  const { platform } = useSession();
  const { data, retry } = useCall(messageCalls.count, {}, { every: 60 });
  useActed(AFTER_ACT_MS, retry);
  const shown = useRef(new Set<number>());
  const count = data?.unreadNum ?? 0;
  useEffect(() => {
    const fresh = (data?.popups ?? []).filter((one) => !shown.current.has(one.id));
    if (fresh.length === 0) return;
    for (const one of fresh) {
      shown.current.add(one.id);
      toast(one.priority === '1' ? 'warning' : 'info', `${one.title}: ${one.text}`);
    }
    void api(messageCalls.popped, { ids: fresh.map((one) => one.id) }, { hidden: true }).catch(() => {});
  }, [data]);
  const to = places[platform];
  return (
    <span className="m-bell">
      <IconButton icon="alert" label={t('message.bell', { count })} href={hrefOf(to)} onClick={follow(to)} />
      {count > 0 ? (
        <span className="m-bell-count" aria-hidden="true">
          {count > MOST ? `${MOST}+` : count}
        </span>
      ) : null}
    </span>
  );
}
