import type { Tone } from '@mooring/contract/kit/state-machine';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { Chart } from '../ui/chart.tsx';
import { Checkbox, MultiSelect, NumberInput, PasswordInput, RadioGroup, Select, Switch, TextArea, TextInput } from '../ui/controls.tsx';
import { Command, CopyText } from '../ui/copy-text.tsx';
import { DatesInput } from '../ui/dates-input.tsx';
import { DevicePicture } from '../ui/device-picture.tsx';
import { Confirm, Dialog, Drawer } from '../ui/dialog.tsx';
import { FactList } from '../ui/fact-list.tsx';
import { Field } from '../ui/field.tsx';
import { Progress, ShareBar, Stat, Steps, Timeline } from '../ui/figures.tsx';
import { DateRange, DayInput, MomentInput } from '../ui/late-dates.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import { SpanInput } from '../ui/span-input.tsx';
import { Spark } from '../ui/spark.tsx';
import { Empty, ErrorState, Note, PageSkeleton, TableSkeleton } from '../ui/states.tsx';
import { StatisticRange } from '../ui/statistic-range.tsx';
import { StatusTag, Tag } from '../ui/status-tag.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TagsInput } from '../ui/tags-input.tsx';
import { toast } from '../ui/toast.tsx';
import { UploadBox } from '../ui/upload-box.tsx';

export const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className="m-panel" aria-label={name}>
    <div className="m-panel-head">
      <h2>{name}</h2>
    </div>
    <div className="m-panel-body m-stack">{children}</div>
  </section>
);
const Line = ({ children }: { children: ReactNode }) => <div className="m-row m-row-wrap">{children}</div>;
const tones: readonly Tone[] = ['idle', 'wait', 'busy', 'good', 'bad', 'ended'];
const days = Array.from({ length: 14 }, (_, at) => `2026-10-${String(at + 1).padStart(2, '0')}`);
const wave = (by: number) => days.map((_, at) => Math.round(40 + by * 10 + 30 * Math.sin((at + by) / 2)));

export function ButtonParts() {
  return (
    <Part name="Buttons, marks, copy">
      <Line>
        <Button look="primary" icon="add">
          Primary
        </Button>
        <Button icon="edit">Default</Button>
        <Button look="quiet">Quiet</Button>
        <Button danger>Danger</Button>
        <Button look="primary" danger>
          Primary danger
        </Button>
        <Button disabled>Disabled</Button>
        <Button busy>Busy</Button>
        <Button small>Small</Button>
        <IconButton icon="reload" label="Refresh" />
        <MenuButton
          items={[
            { key: 'a', label: 'First', icon: 'edit' },
            { key: 'b', label: 'Delete', icon: 'delete', danger: true, apart: true },
          ]}
        >
          <Button icon="more">Menu</Button>
        </MenuButton>
      </Line>
      <Line>
        {tones.map((tone) => (
          <StatusTag key={tone} tone={tone}>
            {tone}
          </StatusTag>
        ))}
      </Line>
      <Line>
        {(['plain', 'info', 'warn', 'danger', 'accent'] as const).map((tone) => (
          <Tag key={tone} tone={tone}>
            {tone}
          </Tag>
        ))}
      </Line>
      <Line>
        <CopyText text="MR100037-01" />
        <CopyText text="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" short={8} />
      </Line>
      <Command text="npm run fleet -- --count 50" />
      <Line>
        {['smartPos', 'cloudSpeaker', 'smartDesktop', 'smartMobile', 'mobilePos', 'mPos', 'mobileReader'].map((one) => (
          <DevicePicture key={one} category={one} size={56} />
        ))}
      </Line>
    </Part>
  );
}

export function FieldParts() {
  const [text, setText] = useState('Text');
  const [span, setSpan] = useState<number | string | undefined>(10_080);
  const [number, setNumber] = useState<number | undefined>(5);
  const [one, setOne] = useState<string | undefined>('a');
  const [many, setMany] = useState<string[]>(['a', 'b']);
  const [on, setOn] = useState(true);
  const [tags, setTags] = useState<string[]>(['pilot']);
  const [range, setRange] = useState<{ from: string | undefined; to: string | undefined }>({ from: '2026-10-01', to: '2026-10-07' });
  const [dates, setDates] = useState<string[]>(['2126-12-24', '2126-12-25']);
  const [moment, setMoment] = useState<string | undefined>('2026-10-01T08:00:00Z');
  const options = [
    { value: 'a', label: 'Alpha' },
    { value: 'b', label: 'Beta' },
    { value: 'c', label: 'Gamma' },
  ];
  return (
    <Part name="Fields">
      <div className="m-fields">
        <Field label="Text" help="Help below" required>
          <TextInput value={text} onChange={setText} />
        </Field>
        <Field label="With error" error="At least 2 characters.">
          <TextInput value="x" onChange={() => {}} />
        </Field>
        <Field label="Disabled" optional>
          <TextInput value="fixed" onChange={() => {}} disabled />
        </Field>
        <Field label="Password">
          <PasswordInput value={text} onChange={setText} />
        </Field>
        <Field label="Number">
          <NumberInput value={number} onChange={(next) => setNumber(Number(next))} unit="s" />
        </Field>
        <Field label="Span">
          <SpanInput value={span} onChange={setSpan} />
        </Field>
        <Field label="One of">
          <Select value={one} onChange={setOne} options={options} clear />
        </Field>
        <Field label="Many of">
          <MultiSelect value={many} onChange={setMany} options={options} clear />
        </Field>
        <Field label="Tags">
          <TagsInput value={tags} onChange={setTags} />
        </Field>
        <Field label="Days">
          <DateRange value={range} onChange={setRange} />
        </Field>
        <Field label="Moment">
          <MomentInput value={moment} onChange={setMoment} />
        </Field>
        <Field label="Months">
          <DateRange value={range} onChange={setRange} months />
        </Field>
        <Field label="Day">
          <DayInput value={moment?.slice(0, 10)} onChange={setMoment} />
        </Field>
        <Field label="Dates">
          <DatesInput value={dates} onChange={setDates} most={100} />
        </Field>
        <Field label="Statistic" group>
          <StatisticRange value={range} onChange={setRange} />
        </Field>
        <Field label="Switch" group>
          <Switch value={on} onChange={setOn} label="Switch" />
        </Field>
        <Field label="Check" group>
          <Checkbox value={on} onChange={setOn}>
            Agreed
          </Checkbox>
        </Field>
        <div className="m-field-whole">
          <Field label="Choice" group>
            <RadioGroup
              boxes
              value={one ?? 'a'}
              onChange={setOne}
              options={options.map((option) => ({ ...option, about: 'What it means' }))}
            />
          </Field>
        </div>
        <div className="m-field-whole">
          <Field label="Area">
            <TextArea value={text} onChange={setText} max={500} />
          </Field>
        </div>
      </div>
      <UploadBox
        multiple
        onFiles={() => {}}
        onCancel={() => {}}
        onRetry={() => {}}
        rows={[
          { id: '1', name: 'firmware-2.4.1.zip', size: 64_000_000, state: 'uploading', share: 0.42, speed: 2_400_000, left: 16 },
          { id: '2', name: 'module.bin', size: 4_000_000, state: 'wait', share: 0 },
          { id: '3', name: 'broken.zip', size: 9_000_000, state: 'fail', share: 0.7, message: 'The file is not what it says it is.' },
          { id: '4', name: 'done.zip', size: 12_000_000, state: 'success', share: 1 },
        ]}
      />
    </Part>
  );
}

export function FigureParts() {
  return (
    <Part name="Figures">
      <div className="m-stats">
        <Stat label="Terminals" value="12,345" />
        <Stat label="Online" tone="good" value="11,002" note="89.1 %" href="#online" />
        <Stat label="Offline" tone="bad" value="1,343" />
        <Stat label="Loading" value="" loading />
      </div>
      <Spark
        label="8 of 10"
        lines={[
          { tone: 'good', values: [0, 2, 5, 8] },
          { tone: 'bad', values: [0, 0, 1, 2] },
        ]}
      />
      <ShareBar
        label="Results"
        shares={[
          { key: 'g', label: 'Success', value: 180, tone: 'good' },
          { key: 'b', label: 'Failed', value: 10, tone: 'bad' },
          { key: 'y', label: 'Under way', value: 24, tone: 'busy' },
          { key: 'w', label: 'Waiting', value: 60, tone: 'wait' },
          { key: 'i', label: 'Not sent', value: 30, tone: 'idle' },
          { key: 'e', label: 'Cancelled', value: 12, tone: 'ended' },
        ]}
      />
      <FactList
        facts={[
          ['Facts in little room', 'A920-000123'],
          ['Version', '4.3.0'],
        ]}
      />
      <Progress label="Progress" share={0.64} />
      <Progress label="Open" share={undefined} note="Under way" />
      <Progress label="Failed" share={0.3} tone="bad" note="Failed" />
      <Steps
        label="Steps"
        steps={[
          { key: 'a', label: 'Package', state: 'done' },
          { key: 'b', label: 'Scope', state: 'now' },
          { key: 'c', label: 'Check', state: 'later' },
        ]}
      />
      <Timeline
        entries={[
          { key: 1, at: '2026-10-02T08:00:00Z', title: 'Released', text: 'to 1,204 terminals', tone: 'good' },
          { key: 2, at: '2026-10-01T08:00:00Z', title: 'Submitted', tone: 'wait' },
        ]}
      />
      <div className="m-grid">
        <Chart
          label="Results by day"
          kind="stack"
          data={{
            categories: days,
            series: [
              { key: 'g', name: 'Success', values: wave(3), tone: 'good' },
              { key: 'b', name: 'Failed', values: wave(-1), tone: 'bad' },
            ],
          }}
        />
        <Chart
          label="Online"
          kind="area"
          data={{
            categories: days,
            series: [
              { key: 'a', name: 'North', values: wave(1) },
              { key: 'b', name: 'South', values: wave(4) },
              { key: 'c', name: 'West', values: wave(7) },
            ],
          }}
        />
        <Chart
          label="Versions"
          kind="pie"
          data={{
            categories: ['2.4.1', '2.4.0', '2.3.9', '2.1.0'],
            series: [{ key: 'n', name: 'Terminals', values: [620, 310, 140, 20] }],
          }}
        />
        <Chart
          label="Storage"
          kind="across"
          write={(value) => `${value} MB`}
          data={{
            categories: ['Firmware', 'Attachments', 'Parameter files by terminal'],
            series: [
              { key: 's', name: 'Size', values: [620, 310, 2] },
              { key: 'f', name: 'Files', values: [12, 480, 9], beside: String },
            ],
          }}
        />
        <Chart label="Nothing" data={{ categories: [], series: [] }} />
      </div>
    </Part>
  );
}

export function FeedbackParts() {
  const [open, setOpen] = useState<string>();
  const [tab, setTab] = useState('a');
  const close = () => setOpen(undefined);
  return (
    <Part name="Feedback">
      <Note tone="info">Info</Note>
      <Note tone="warn" action={<Button small>Act</Button>}>
        Warning
      </Note>
      <Note tone="danger">Danger</Note>
      <Line>
        <Button onClick={() => toast('done', 'Saved')}>Done</Button>
        <Button onClick={() => toast('warning', 'The account or the password is wrong.')}>Warning</Button>
        <Button onClick={() => toast('error', 'The server gave no answer.', { label: 'Try again', onClick: () => {} })}>Error</Button>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm by name</Button>
        <Button onClick={() => setOpen('drawer')}>Drawer</Button>
      </Line>
      <Dialog
        open={open === 'dialog'}
        title="Dialog"
        onClose={close}
        footer={
          <Button look="primary" onClick={close}>
            Good
          </Button>
        }
      >
        Text
      </Dialog>
      <Confirm
        open={open === 'confirm'}
        title="Delete MR100037"
        confirm="Delete terminal"
        danger
        typeName="MR100037"
        onConfirm={close}
        onClose={close}
      >
        Its history goes with it after 30 days.
      </Confirm>
      <Drawer open={open === 'drawer'} title="Drawer" onClose={close}>
        Text
      </Drawer>
      <Tabs
        active={tab}
        onChange={setTab}
        items={[
          { key: 'a', label: 'First', icon: 'device', children: 'One' },
          { key: 'b', label: 'Second', count: '12', children: 'Two' },
        ]}
      />
      <div className="m-grid">
        <Empty title="No terminals yet" text="What would be here, and the next step.">
          <Button look="primary">Enrol a terminal</Button>
        </Empty>
        <ErrorState text="The server gave no answer." requestId="r-123" onRetry={() => {}} />
      </div>
      <TableSkeleton rows={3} />
      <PageSkeleton />
    </Part>
  );
}
