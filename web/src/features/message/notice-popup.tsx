import { messageCalls } from '@mooring/contract/message/calls';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import type { ReactNode } from 'react';
import { useAct } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';
import { NoticeText } from './notice-text.tsx';

interface Staying {
  readonly title: string;
  readonly busy: boolean;
  readonly onRead: () => void;
  /** Where more of them wait: nobody has to go through them one by one. */
  readonly onReadAll?: (() => void) | undefined;
  readonly children: ReactNode;
}
/** What is of high priority stays until it is read, over whatever is being done. */
function Stays({ title, busy, onRead, onReadAll, children }: Staying) {
  const t = useT();
  return (
    <Dialog
      open
      firm
      crossless
      title={title}
      onClose={() => {}}
      width={640}
      footer={
        <>
          {onReadAll ? (
            <Button busy={busy} onClick={onReadAll}>
              {t('message.readAll')}
            </Button>
          ) : null}
          <Button look="primary" busy={busy} onClick={onRead}>
            {t('notice.acknowledge')}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

const asRead = (of: { readonly title: string }, done: () => void) => ({
  done,
  successText: { key: 'message.markedRead', params: { name: of.title } } as const,
});

export function NoticePopup({ of, onRead }: { of: { readonly id: number; readonly title: string }; onRead: () => void }) {
  const act = useAct(noticeCalls.read, asRead(of, onRead));
  return (
    <Stays title={of.title} busy={act.busy} onRead={() => act.run({ id: of.id })}>
      <NoticeText id={of.id} />
    </Stays>
  );
}

interface Message {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly sender: string | null;
}
export function MessagePopup({ of, more, onRead }: { of: Message; more: readonly number[]; onRead: (...ids: readonly number[]) => void }) {
  const ids = [of.id, ...more];
  const act = useAct(
    messageCalls.read,
    asRead(of, () => onRead(of.id)),
  );
  const all = useAct(messageCalls.read, {
    done: () => onRead(...ids),
    successText: ({ changed }) => ({ key: 'message.readAllDone', params: { count: changed } }),
  });
  return (
    <Stays
      title={of.title}
      busy={act.busy || all.busy}
      onRead={() => act.run({ ids: [of.id] })}
      onReadAll={more.length > 0 ? () => all.run({ ids }) : undefined}
    >
      <div className="m-stack">
        {of.sender ? <span className="m-small m-muted">{of.sender}</span> : null}
        <p className="m-words" dir="auto">
          {of.text}
        </p>
      </div>
    </Stays>
  );
}
