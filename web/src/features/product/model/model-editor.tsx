import type { OutputOf } from '@mooring/contract/kit/call';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import { modelChanges } from '@mooring/contract/product/model-changes';
import { thingModelMachine } from '@mooring/contract/product/state-machines';
import { type ThingList, type ThingModel, thingLists } from '@mooring/contract/product/thing-model';
import { useEffect, useRef, useState } from 'react';
import { download } from '../../../kit/downloads.ts';
import { textOf } from '../../../kit/form/schema.ts';
import { holdLeaving } from '../../../kit/leaving.ts';
import { useAct } from '../../../kit/queries.ts';
import { StateTag } from '../../../kit/state-tag.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/controls.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Empty, Note } from '../../../ui/states.tsx';
import { useT } from '../../../ui/words.ts';
import { Changes } from './changes.tsx';
import { nothing, withList } from './drafts.ts';
import { EntryList } from './entry-list.tsx';

interface Props {
  readonly product: { readonly id: number; readonly code: string };
  readonly current: OutputOf<typeof productModelCalls.current>;
}
type Current = Props['current'];
/** Another draft, or another's change of it, is another beginning. */
const keyOf = ({ draft, published }: Current) => `${draft?.id ?? 0} ${draft?.revision ?? 0} ${published?.id ?? 0}`;
const modelIn = ({ draft, published }: Current): ThingModel => draft?.model ?? published?.model ?? nothing;
const noteIn = ({ draft }: Current): string => draft?.note ?? '';

/** Of an act that brings another model. */
const ANYTHING = '';

type Asking = 'publish' | 'discard' | undefined;

/** The lists of the model: changed as a draft, which is saved, then published with what it changes named. */
export function ModelEditor({ product, current }: Props) {
  const t = useT();
  /** What the changes began from: somebody else's take no place of theirs unasked. */
  const [from, setFrom] = useState(current);
  const { draft, published, allowedActions } = from;
  const [model, setModel] = useState<ThingModel>(() => modelIn(from));
  const [note, setNote] = useState(() => noteIn(from));
  /** What comes next is the answer to one's own act, and takes the place of what was sent alone: what was written since stays. */
  const [acted, setActed] = useState<string>();
  const [begun, setBegun] = useState(draft !== null || published !== null);
  const [asJson, setAsJson] = useState(false);
  const [asking, setAsking] = useState<Asking>();
  const [file, setFile] = useState<string>();
  const chooser = useRef<HTMLInputElement>(null);
  const mayEdit = allowedActions.includes('edit');
  const isChanged = textOf(model) !== textOf(modelIn(from)) || note !== noteIn(from);
  useEffect(() => (isChanged ? holdLeaving(() => true) : undefined), [isChanged]);

  const written = textOf({ model, note });
  const take = () => {
    setFrom(current);
    if (acted === undefined || acted === ANYTHING || acted === written) {
      setModel(modelIn(current));
      setNote(noteIn(current));
    }
    setBegun(current.draft !== null || current.published !== null);
    setActed(undefined);
  };
  const isOvertaken = keyOf(from) !== keyOf(current);
  if (isOvertaken && (acted !== undefined || !isChanged)) take();

  const seen = draft?.revision ?? null;
  const version = draft?.version ?? (published?.version ?? 0) + 1;
  const close = () => setAsking(undefined);
  const done = (sent: string) => {
    setActed(sent);
    close();
  };
  const save = useAct(productModelCalls.save, {
    successText: (made) => ({ key: 'model.saved', params: { version: made.version } }),
    done: (_made, input) => done(textOf({ model: input.model, note: input.note })),
  });
  const bring = useAct(productModelCalls.import, {
    successText: (made) => ({ key: 'model.imported', params: { version: made.version } }),
    done: () => done(ANYTHING),
  });
  const discard = useAct(productModelCalls.discard, { successText: 'model.discarded', done: () => done(ANYTHING) });
  const publish = useAct(productModelCalls.publish, {
    successText: (made) => ({ key: 'model.published', params: { version: made.version } }),
    done: () => done(written),
  });
  const busy = save.busy || bring.busy || discard.busy || publish.busy;
  const read = async (chosen: File | undefined) => {
    if (!chosen) return;
    const text = await chosen.text();
    if (draft || isChanged) setFile(text);
    else bring.run({ productId: product.id, seen, text });
  };
  const importer = (
    <>
      <input
        ref={chooser}
        type="file"
        accept=".json"
        hidden
        onChange={(event) => {
          void read(event.target.files?.[0]);
          // The same file may be chosen again once it was put right.
          event.target.value = '';
        }}
      />
      <Button busy={bring.busy} onClick={() => chooser.current?.click()}>
        {t('model.import')}
      </Button>
    </>
  );
  if (!begun)
    return (
      <Empty icon="module" title={t('model.empty')} text={t('model.emptyText')}>
        {mayEdit ? (
          <span className="m-row">
            <Button look="primary" onClick={() => setBegun(true)}>
              {t('model.begin')}
            </Button>
            {importer}
          </span>
        ) : null}
      </Empty>
    );
  const changes = modelChanges(published?.model ?? nothing, model);
  const breaking = changes.filter((one) => one.breaking).length;
  const put = (list: ThingList) => (mayEdit ? (entries: readonly unknown[]) => setModel((now) => withList(now, list, entries)) : undefined);
  const shown = draft ?? published;
  return (
    <div className="m-stack">
      <div className="m-row m-row-wrap">
        <h2>
          {shown === published && published && !isChanged
            ? t('model.versionOf', { version: published.version })
            : t('model.draftOf', { version })}
        </h2>
        {shown && !isChanged ? <StateTag machine={thingModelMachine} code={shown.state} /> : null}
        {isChanged ? <span className="m-muted">{t('model.unsaved')}</span> : null}
        <span className="m-grow" />
        <Button onClick={() => setAsJson(!asJson)}>{t('model.json')}</Button>
        {shown ? (
          <Button
            icon="download"
            onClick={() => download(productModelCalls.export, { id: shown.id }, `${product.code}-model-${shown.version}.json`)}
          >
            {t('model.export')}
          </Button>
        ) : null}
        {mayEdit ? importer : null}
        {mayEdit && draft ? (
          <Button danger onClick={() => setAsking('discard')}>
            {t('model.discard')}
          </Button>
        ) : null}
        {mayEdit ? (
          <Button
            look={isChanged ? 'primary' : 'default'}
            disabled={!isChanged}
            busy={save.busy}
            onClick={() => save.run({ productId: product.id, seen, model, note })}
          >
            {t('model.save')}
          </Button>
        ) : null}
        {draft && allowedActions.includes('publish') ? (
          <Button look={isChanged ? 'default' : 'primary'} disabled={isChanged} onClick={() => setAsking('publish')}>
            {t('model.publish', { version })}
          </Button>
        ) : null}
      </div>
      {isOvertaken && !busy && acted === undefined ? (
        <Note tone="warn">
          <div className="m-row m-row-wrap">
            <span className="m-grow">{t('model.overtaken')}</span>
            <Button small onClick={take}>
              {t('model.takeTheirs')}
            </Button>
            <Button small onClick={() => setFrom(current)}>
              {t('model.keepMine')}
            </Button>
          </div>
        </Note>
      ) : null}
      {breaking > 0 ? <Note tone="warn">{t('model.publish.breaking', { count: breaking })}</Note> : null}
      {asJson ? (
        <pre className="m-panel m-panel-body m-words m-mono m-small">{JSON.stringify(model, undefined, 2)}</pre>
      ) : (
        thingLists.map((list) => <EntryList key={list} list={list} entries={model[list]} onChange={put(list)} />)
      )}
      {mayEdit ? (
        <Field label={t('model.note')} optional>
          <TextInput value={note} onChange={setNote} max={500} />
        </Field>
      ) : null}
      {published && changes.length > 0 ? (
        <section className="m-stack-tight">
          <h2>{t('model.changesOf', { old: published.version, next: version })}</h2>
          <Changes changes={changes} />
        </section>
      ) : null}
      <Confirm
        open={asking === 'publish'}
        title={t('model.publish.title', { version })}
        confirm={t('model.publish', { version })}
        busy={publish.busy}
        {...(breaking > 0 ? { typeName: product.code, danger: true } : {})}
        onClose={close}
        onConfirm={() => draft && publish.run({ id: draft.id, seen: draft.revision, confirm: breaking > 0 ? product.code : '' })}
      >
        {breaking > 0 ? <p>{t('model.publish.breaking', { count: breaking })}</p> : null}
        {published ? <Changes changes={changes} /> : t('model.publish.first')}
      </Confirm>
      <Confirm
        open={asking === 'discard'}
        title={t('kit.act.named', { act: t('model.discard'), name: t('model.versionOf', { version }) })}
        confirm={t('model.discard')}
        danger
        busy={discard.busy}
        onClose={close}
        onConfirm={() => draft && discard.run({ id: draft.id, seen: draft.revision })}
      >
        {t('model.discard.about')}
      </Confirm>
      <Confirm
        open={file !== undefined}
        title={t('model.import.over')}
        confirm={t('model.import')}
        busy={bring.busy}
        onClose={() => setFile(undefined)}
        onConfirm={() => {
          if (file !== undefined) bring.run({ productId: product.id, seen, text: file });
          setFile(undefined);
        }}
      >
        {t('model.import.overText')}
      </Confirm>
    </div>
  );
}
