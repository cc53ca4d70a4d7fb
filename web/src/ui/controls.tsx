import { Checkbox as AntCheckbox, Select as AntSelect, Switch as AntSwitch, Input, InputNumber, Radio } from 'antd';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useFieldLink, useOwnError } from './field.tsx';
import { Icon, type IconName } from './icon.tsx';
import { useT } from './words.ts';

export interface ControlProps<V> {
  value: V;
  onChange: (value: V) => void;
  onBlur?: () => void;
  disabled?: boolean;
  placeholder?: string;
  /** Where no field stands around the control. */
  label?: string;
}

function useAria(own: string | undefined) {
  const { id, describedBy, invalid, required, label: ofField } = useFieldLink();
  // In a group no label points at the control: it takes the group's.
  const label = own ?? (id ? undefined : ofField);
  return {
    ...(id ? { id } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...(invalid ? { 'aria-invalid': true as const, status: 'error' as const } : {}),
    ...(required ? { 'aria-required': true as const } : {}),
    ...(label ? { 'aria-label': label } : {}),
  };
}

/** "Clear Status": the button that empties a control says which one. */
function useClearLabel(own: string | undefined): string {
  const t = useT();
  const { label } = useFieldLink();
  const name = own ?? label;
  return name ? t('kit.clear.of', { name }) : t('kit.clear');
}

/** Nothing is cut off: a text that is too long stays, and its field says so. */
function useTooLong(value: string, max: number | undefined): void {
  const t = useT();
  useOwnError(max !== undefined && value.trim().length > max ? t('invalid.maxText', { limit: max }) : undefined);
}

export interface TextInputProps extends ControlProps<string> {
  icon?: IconName;
  max?: number;
  mono?: boolean;
  clear?: boolean;
  autoFocus?: boolean;
  autoComplete?: string;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url' | 'tel';
  suffix?: ReactNode;
  onEnter?: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  focusRef?: Ref<{ focus(): void; input: HTMLInputElement | null }>;
}

export function TextInput({
  value,
  onChange,
  onBlur,
  disabled,
  placeholder,
  label,
  icon,
  max,
  mono,
  clear,
  autoFocus,
  autoComplete,
  inputMode,
  suffix,
  onEnter,
  onKeyDown,
  focusRef,
}: TextInputProps) {
  const aria = useAria(label);
  const clearLabel = useClearLabel(label);
  useTooLong(value, max);
  return (
    <Input
      {...aria}
      ref={focusRef as never}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => onBlur?.()}
      disabled={disabled ?? false}
      allowClear={clear ? { clearIcon: <Icon name="clear" label={clearLabel} /> } : false}
      className={mono ? 'm-mono' : ''}
      autoComplete={autoComplete ?? 'off'}
      {...(placeholder ? { placeholder } : {})}
      {...(icon ? { prefix: <Icon name={icon} className="m-faint" /> } : {})}
      {...(suffix ? { suffix } : {})}
      {...(inputMode ? { inputMode } : {})}
      {...(autoFocus ? { autoFocus } : {})}
      {...(onEnter ? { onPressEnter: onEnter } : {})}
      {...(onKeyDown ? { onKeyDown } : {})}
    />
  );
}

export function PasswordInput({
  value,
  onChange,
  onBlur,
  disabled,
  label,
  autoFocus,
  autoComplete = 'current-password',
}: ControlProps<string> & { autoFocus?: boolean; autoComplete?: string }) {
  const t = useT();
  const [shown, setShown] = useState(false);
  return (
    <Input
      {...useAria(label)}
      type={shown ? 'text' : 'password'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => onBlur?.()}
      disabled={disabled ?? false}
      autoComplete={autoComplete}
      spellCheck={false}
      {...(autoFocus ? { autoFocus } : {})}
      suffix={
        disabled ? null : (
          <button type="button" className="m-plain m-link m-small" aria-pressed={shown} onClick={() => setShown(!shown)}>
            {t(shown ? 'kit.password.hide' : 'kit.password.show')}
          </button>
        )
      }
    />
  );
}

export function TextArea({
  value,
  onChange,
  onBlur,
  disabled,
  placeholder,
  label,
  max,
  rows = 3,
  mono,
}: ControlProps<string> & { max?: number; rows?: number; mono?: boolean }) {
  useTooLong(value, max);
  return (
    <Input.TextArea
      {...useAria(label)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => onBlur?.()}
      disabled={disabled ?? false}
      autoSize={{ minRows: rows, maxRows: 14 }}
      classNames={{ textarea: mono ? 'm-mono' : '' }}
      {...(placeholder ? { placeholder } : {})}
      {...(max ? { count: { show: true, max } } : {})}
    />
  );
}

/** Takes any number: one outside of its limits is said to be wrong, never changed into another one. What is no number stays, as its text. */
export function NumberInput({
  value,
  onChange,
  onBlur,
  disabled,
  label,
  step,
  unit,
}: ControlProps<number | string | undefined> & { step?: number; unit?: string }) {
  return (
    <InputNumber<number | string>
      {...useAria(label)}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      // A comma isn't left out as a library would: -0,10 would become -10, and 12,50 a hundred times as much.
      parser={(text) => (text ?? '').trim()}
      onInput={(text) => {
        if (text.trim() !== '' && !Number.isFinite(Number(text))) onChange(text);
      }}
      onBlur={() => onBlur?.()}
      disabled={disabled ?? false}
      style={{ inlineSize: '100%' }}
      {...(step === undefined ? {} : { step })}
      {...(unit ? { suffix: unit } : {})}
    />
  );
}

export interface Option<V extends string | number = string | number> {
  readonly value: V;
  readonly label: string;
  readonly disabled?: boolean;
  /** Stands before its label in the open list. */
  readonly picture?: ReactNode;
}

interface SelectCommon<V extends string | number> extends Omit<ControlProps<never>, 'value' | 'onChange'> {
  options: readonly Option<V>[];
  clear?: boolean;
  busy?: boolean;
  /** Options come from the server: typing asks for others, once it pauses. */
  onSearch?: (text: string) => void;
  onOpen?: () => void;
  /** Beside the words that nothing was found: where such things are made. */
  nothing?: ReactNode;
  width?: number | string;
}

const PAUSE_MS = 150;

const hasText = (text: string, option: { label?: unknown } | undefined): boolean =>
  String(option?.label ?? '')
    .toLowerCase()
    .includes(text.trim().toLowerCase());

/** One question for a word, not one for each of its letters. Until it is answered, what was found before offers no more than fits. */
function useOncePaused(ask: ((text: string) => void) | undefined, busy: boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isPausing, setPausing] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onSearch = (text: string) => {
    clearTimeout(timer.current);
    setPausing(true);
    timer.current = setTimeout(() => {
      setPausing(false);
      ask?.(text);
    }, PAUSE_MS);
  };
  const isPending = isPausing || busy;
  return { isPending, search: ask && { onSearch, filterOption: isPending ? hasText : false } };
}

function useSelectProps<V extends string | number>({
  options,
  clear,
  busy,
  onSearch,
  onOpen,
  nothing,
  onBlur,
  disabled,
  placeholder,
  label,
  width = '100%',
}: SelectCommon<V>) {
  const t = useT();
  const clearLabel = useClearLabel(label);
  const { search, isPending } = useOncePaused(onSearch, busy ?? false);
  return {
    options: options.map((option) => ({ ...option })),
    allowClear: clear ? { clearIcon: <Icon name="clear" />, label: clearLabel } : false,
    loading: busy ?? false,
    disabled: disabled ?? false,
    onBlur: () => onBlur?.(),
    // The number of a row is nobody's name for it: it is waited for.
    ...(busy ? { labelRender: ({ label }: { label?: ReactNode }) => label ?? '…' } : {}),
    ...(options.some((one) => one.picture)
      ? {
          optionRender: ({ data }: { data: object }) => {
            const { picture, label: words } = data as Option;
            return (
              <span className="m-row">
                {picture} {words}
              </span>
            );
          },
        }
      : {}),
    popupMatchSelectWidth: false,
    style: { inlineSize: width },
    showSearch: search ?? (options.length > 8 ? { optionFilterProp: 'label' } : false),
    ...(onOpen ? { onOpenChange: (open: boolean) => open && onOpen() } : {}),
    notFoundContent: (
      <span className="m-muted">
        {t(isPending ? 'kit.loading' : 'kit.select.nothing')} {isPending ? null : nothing}
      </span>
    ),
    ...(placeholder ? { placeholder } : {}),
  };
}

export function Select<V extends string | number>({
  value,
  onChange,
  ...rest
}: SelectCommon<V> & { value: V | undefined; onChange: (value: V | undefined) => void }) {
  return (
    <AntSelect<V>
      {...useAria(rest.label)}
      {...useSelectProps(rest)}
      value={(value ?? null) as V}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

export function MultiSelect<V extends string | number>({
  value,
  onChange,
  ...rest
}: SelectCommon<V> & { value: readonly V[]; onChange: (value: V[]) => void }) {
  return (
    <AntSelect<V[]>
      {...useAria(rest.label)}
      {...useSelectProps(rest)}
      mode="multiple"
      maxTagCount="responsive"
      value={[...value]}
      onChange={onChange}
    />
  );
}

export function Switch({ value, onChange, disabled, label }: ControlProps<boolean>) {
  const { status: _status, ...aria } = useAria(label);
  return (
    <span>
      <AntSwitch {...aria} checked={value} onChange={(next) => onChange(next)} disabled={disabled ?? false} />
    </span>
  );
}

export function Checkbox({
  value,
  onChange,
  disabled,
  label,
  part,
  children,
}: ControlProps<boolean> & { part?: boolean; children?: ReactNode }) {
  return (
    <AntCheckbox
      checked={value}
      indeterminate={part ?? false}
      disabled={disabled ?? false}
      onChange={(event) => onChange(event.target.checked)}
      {...(label ? { 'aria-label': label } : {})}
    >
      {children}
    </AntCheckbox>
  );
}

export function RadioGroup<V extends string | number>({
  value,
  onChange,
  options,
  disabled,
  label,
  boxes,
}: ControlProps<V> & { options: readonly (Option<V> & { about?: string })[]; boxes?: boolean }) {
  const { describedBy, invalid } = useFieldLink();
  return (
    <Radio.Group
      value={value}
      onChange={(event) => onChange(event.target.value as V)}
      disabled={disabled ?? false}
      className={boxes ? 'm-radio-boxes' : 'm-radio-list'}
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
      {...(invalid ? { 'aria-invalid': true } : {})}
      {...(label ? { 'aria-label': label } : {})}
    >
      {options.map((option) => (
        <Radio key={option.value} value={option.value} disabled={disabled || (option.disabled ?? false)}>
          {option.label}
          {option.about ? <span className="m-radio-about">{option.about}</span> : null}
        </Radio>
      ))}
    </Radio.Group>
  );
}
