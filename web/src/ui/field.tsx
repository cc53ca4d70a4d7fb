import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useId, useState } from 'react';
import { Icon } from './icon.tsx';
import { useT } from './words.ts';

interface FieldLink {
  readonly label?: string | undefined;
  readonly id?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean | undefined;
  readonly required?: boolean | undefined;
  /** For what a control itself finds wrong with its text. */
  readonly setOwnError?: (words: string | undefined) => void;
}
const Linked = createContext<FieldLink>({});
/** What a control needs to belong to its label, help and error. */
export const useFieldLink = (): FieldLink => useContext(Linked);

/** What a control itself finds wrong with what is in it. */
export function useOwnError(words: string | undefined): void {
  const { setOwnError } = useFieldLink();
  useEffect(() => {
    setOwnError?.(words);
    return () => setOwnError?.(undefined);
  }, [setOwnError, words]);
}

/** A second control of a field, with a name of its own. */
export const Unlinked = ({ children }: { children: ReactNode }) => <Linked value={{}}>{children}</Linked>;

export interface FieldProps {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  optional?: boolean;
  /** A group of controls (radio buttons, upload) instead of one. */
  group?: boolean;
  id?: string;
  /** What the control itself finds wrong: a form isn't sent with it. */
  onOwnError?: ((words: string | undefined) => void) | undefined;
  children: ReactNode;
}

/** Label above, help below, the error in its place. */
export function Field({ label, help, error: given, required, optional, group, id: fixed, onOwnError, children }: FieldProps) {
  const made = useId();
  const id = fixed ?? made;
  const [ownError, setOwnError] = useState<string>();
  const tell = useEffectEvent((words: string | undefined) => onOwnError?.(words));
  useEffect(() => {
    tell(ownError);
    return () => tell(undefined);
  }, [ownError]);
  // What the control knows of what is in it is more exact.
  const error = ownError ?? given;
  const t = useT();
  const described = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ');
  const name = (
    <>
      {label}
      {optional ? <span className="m-faint m-field-optional">{t('kit.form.optional')}</span> : null}
    </>
  );
  const link = {
    label,
    id: group ? undefined : id,
    describedBy: described || undefined,
    invalid: error !== undefined,
    required,
    setOwnError,
  };
  return (
    <div
      className={error ? 'm-field m-field-bad' : 'm-field'}
      {...(group ? { role: 'group', 'aria-labelledby': `${id}-label`, 'aria-describedby': described || undefined } : {})}
    >
      {group ? (
        <span className="m-field-label" id={`${id}-label`}>
          {name}
        </span>
      ) : (
        <label className="m-field-label" htmlFor={id} id={`${id}-label`}>
          {name}
        </label>
      )}
      <Linked value={link}>{children}</Linked>
      {error ? (
        <span className="m-field-error" id={`${id}-error`}>
          <Icon name="danger" /> {error}
        </span>
      ) : null}
      {help ? (
        <span className="m-field-help" id={`${id}-help`}>
          {help}
        </span>
      ) : null}
    </div>
  );
}
