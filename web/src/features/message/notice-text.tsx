import { fileCalls } from '@mooring/contract/file/calls';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { download } from '../../kit/downloads.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFormat, useT } from '../../ui/words.ts';

function Attached({ id, file }: { id: number; file: { readonly id: number; readonly name: string; readonly size: number } }) {
  const t = useT();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const fetchIt = async () => {
    setBusy(true);
    try {
      const { token } = await api(noticeCalls.attachment, { id, fileId: file.id }, { hidden: true });
      download(fileCalls.get, { token }, file.name);
    } catch (error) {
      toast('error', messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="m-row">
      <Button small icon="download" busy={busy} onClick={() => void fetchIt()} of={t('notice.download')}>
        {file.name}
      </Button>
      <span className="m-muted m-small">{format.size(file.size)}</span>
    </li>
  );
}

/** What one person is told, with what hangs on it. */
export function NoticeText({ id }: { id: number }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(noticeCalls.own, { id });
  if (!data) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  const told = [data.sender, format.moment(String(data.publishedAt))];
  if (data.endsAt !== null) told.push(t('notice.until', { at: format.moment(String(data.endsAt)) }));
  return (
    <div className="m-stack">
      <span className="m-small m-muted">{told.join(' · ')}</span>
      <Markdown text={data.body} />
      {data.files.length === 0 ? null : (
        <section className="m-stack-tight">
          <h3>{t('notice.attachments')}</h3>
          <ul className="m-plain-list">
            {data.files.map((file) => (
              <Attached key={file.id} id={id} file={file} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
