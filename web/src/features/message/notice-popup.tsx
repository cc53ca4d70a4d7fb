import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { useAct } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';
import { NoticeText } from './notice-text.tsx';

/** A notice of high priority: it stays until it is read, over whatever is being done. */
export function NoticePopup({ of, onRead }: { of: { readonly id: number; readonly title: string }; onRead: () => void }) {
  const t = useT();
  const act = useAct(noticeCalls.read, { done: onRead, successText: { key: 'message.markedRead', params: { name: of.title } } });
  return (
    <Dialog
      open
      firm
      crossless
      title={of.title}
      onClose={() => {}}
      width={640}
      footer={
        <Button look="primary" busy={act.busy} onClick={() => act.run({ id: of.id })}>
          {t('notice.acknowledge')}
        </Button>
      }
    >
      <NoticeText id={of.id} />
    </Dialog>
  );
}
