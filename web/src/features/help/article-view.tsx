import { fileCalls } from '@mooring/contract/file/calls';
import { helpCalls } from '@mooring/contract/help/calls';
import type { ReactNode } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { download } from '../../kit/downloads.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { useCall } from '../../kit/queries.ts';
import { usePicture } from '../../kit/stored-picture.tsx';
import { Button } from '../../ui/button.tsx';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { useStore } from '../../ui/store.ts';
import { toast } from '../../ui/toast.tsx';
import { speech, useFormat, useT } from '../../ui/words.ts';
import { Vote } from './vote.tsx';
import { useWords } from './words.ts';

/** Readers have what hangs on the article, whatever else they may see. */
const tokenOf = (key: string, fileId: number) => api(helpCalls.file, { key, fileId }, { hidden: true });

function Picture({ of, id, alt }: { of: string; id: number; alt: string }) {
  const source = usePicture(id, (fileId) => tokenOf(of, fileId));
  return source ? <img src={source} alt={alt} /> : alt;
}

async function fetchFile(key: string, file: { readonly id: number; readonly name: string }): Promise<void> {
  try {
    const { token } = await tokenOf(key, file.id);
    download(fileCalls.get, { token }, file.name);
  } catch (error) {
    toast('error', messageOf(error));
  }
}

const mainOf = (lang: string) => lang.split('-')[0];

interface Props {
  readonly articleKey: string;
  readonly marked?: string | undefined;
  /** What a link of the article to another one does, where it leads to no page. */
  readonly link?: ((href: string, words: ReactNode) => ReactNode) | undefined;
  readonly head?: (title: string) => ReactNode;
}

/** An article as its readers have it. */
export function ArticleView({ articleKey, marked, link, head }: Props) {
  const t = useT();
  const format = useFormat();
  const words = useWords();
  const { lang } = useStore(speech);
  const { data, error, retry } = useCall(helpCalls.read, { key: articleKey });
  if (!data) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  const isOwn = mainOf(data.lang) === mainOf(lang);
  return (
    <article className="m-stack m-help-article" lang={data.lang}>
      {head?.(words(data.title))}
      {isOwn ? null : <Note>{t('help.inEnglish')}</Note>}
      <Markdown
        text={data.body}
        marked={marked}
        words={words}
        link={link}
        picture={(id, alt) => <Picture of={data.key} id={id} alt={words(alt)} />}
      />
      {data.files.length === 0 ? null : (
        <section className="m-stack-tight">
          <h3>{t('help.files')}</h3>
          <ul className="m-plain-list">
            {data.files.map((file) => (
              <li key={file.id} className="m-row">
                <Button small icon="download" onClick={() => void fetchFile(data.key, file)}>
                  {file.name}
                </Button>
                <span className="m-muted m-small">{format.size(file.size)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Vote key={data.key} articleKey={data.key} version={data.version} vote={data.vote} reason={data.reason} />
      <p className="m-small m-muted">
        {words(data.category)} · {t('help.about', { version: data.version, at: format.moment(String(data.publishedAt), 'date') })}
      </p>
    </article>
  );
}
