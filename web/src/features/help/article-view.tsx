import { fileCalls } from '@mooring/contract/file/calls';
import { helpCalls } from '@mooring/contract/help/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
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

type Article = Omit<OutputOf<typeof helpCalls.read>, 'vote' | 'reason'>;
type TokenOf = (key: string, fileId: number) => Promise<{ readonly token: string }>;

/** Readers have what hangs on the article, whatever else they may see. */
const tokenOf: TokenOf = (key, fileId) => api(helpCalls.file, { key, fileId }, { hidden: true });

function Picture({ of, id, alt, ask }: { of: string; id: number; alt: string; ask: TokenOf }) {
  const source = usePicture(id, (fileId) => ask(of, fileId));
  return source ? <img src={source} alt={alt} /> : alt;
}

async function fetchFile(ask: TokenOf, key: string, file: { readonly id: number; readonly name: string }): Promise<void> {
  try {
    const { token } = await ask(key, file.id);
    download(fileCalls.get, { token }, file.name);
  } catch (error) {
    toast('error', messageOf(error));
  }
}

const mainOf = (lang: string) => lang.split('-')[0];

interface Drawn {
  readonly marked?: string | undefined;
  /** What a link of the article to another one does, where it leads to no page. */
  readonly link?: ((href: string, words: ReactNode) => ReactNode) | undefined;
  readonly head?: (title: string) => ReactNode;
}

/** What an article says, with its files; `ask` gives them out. Below it what `children` are, before whence it comes. */
export function ArticleText({ of, ask, marked, link, head, children }: Drawn & { of: Article; ask: TokenOf; children?: ReactNode }) {
  const t = useT();
  const format = useFormat();
  const words = useWords();
  const { lang } = useStore(speech);
  const isOwn = mainOf(of.lang) === mainOf(lang);
  return (
    <article className="m-stack m-help-article" lang={of.lang}>
      {head?.(words(of.title))}
      {isOwn ? null : <Note>{t('help.inEnglish')}</Note>}
      <Markdown
        text={of.body}
        marked={marked}
        words={words}
        link={link}
        picture={(id, alt) => <Picture of={of.key} id={id} alt={words(alt)} ask={ask} />}
      />
      {of.files.length === 0 ? null : (
        <section className="m-stack-tight">
          <h3>{t('help.files')}</h3>
          <ul className="m-plain-list">
            {of.files.map((file) => (
              <li key={file.id} className="m-row">
                <Button small icon="download" onClick={() => void fetchFile(ask, of.key, file)}>
                  {file.name}
                </Button>
                <span className="m-muted m-small">{format.size(file.size)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
      <p className="m-small m-muted">
        {words(of.category)} · {t('help.about', { version: of.version, at: format.moment(String(of.publishedAt), 'date') })}
      </p>
    </article>
  );
}

/** An article as its readers have it. */
export function ArticleView({ articleKey, ...drawn }: Drawn & { readonly articleKey: string }) {
  const { data, error, retry } = useCall(helpCalls.read, { key: articleKey });
  if (!data) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  return (
    <ArticleText of={data} ask={tokenOf} {...drawn}>
      <Vote key={data.key} articleKey={data.key} version={data.version} vote={data.vote} reason={data.reason} />
    </ArticleText>
  );
}
