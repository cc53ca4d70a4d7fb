import type { ThingModel } from '@mooring/contract/product/thing-model';

/** The sample estate of `npm run demo`: invented names, so that nobody's real ones are shown. */
export const businessUnits = [
  {
    name: 'Region East',
    timeZone: 'Asia/Shanghai',
    organisations: [
      { name: 'Harbour Bank', children: ['Harbour Bank North', 'Harbour Bank South'] },
      { name: 'Silk Road Acquiring', children: ['Silk Road Retail'] },
    ],
  },
  {
    name: 'Region Europe',
    timeZone: 'Europe/Berlin',
    organisations: [
      { name: 'Meridian Payments', children: ['Meridian Nordics', 'Meridian Iberia'] },
      { name: 'Corner Shops Union', children: [] },
    ],
  },
  {
    name: 'Region Americas',
    timeZone: 'America/Sao_Paulo',
    organisations: [{ name: 'Southern Cross Pay', children: ['Southern Cross Andes'] }],
  },
] as const;

export const firms = [
  { code: 'ANCHOR', name: 'Anchor Devices', country: 'DE', website: 'https://anchor.example' },
  { code: 'TIDEWATER', name: 'Tidewater', country: 'SG', website: 'https://tidewater.example' },
] as const;

/** What the smart POS of the sample estate can be read, set, asked and heard of. */
export const thingModel: ThingModel = {
  properties: [
    { id: 'brightness', name: 'Screen brightness', access: 'rw', dataType: { kind: 'int', min: 0, max: 100, step: 5, unit: '%' } },
    {
      id: 'printerTemperature',
      name: 'Printer temperature',
      access: 'r',
      dataType: { kind: 'float', min: -20, max: 120, step: null, unit: '°C' },
    },
    {
      id: 'paper',
      name: 'Paper',
      access: 'r',
      dataType: {
        kind: 'enum',
        values: [
          { value: 0, label: 'Out' },
          { value: 1, label: 'Low' },
          { value: 2, label: 'Enough' },
        ],
      },
    },
    {
      id: 'receipt',
      name: 'Receipt',
      access: 'rw',
      dataType: {
        kind: 'struct',
        fields: [
          { id: 'copies', name: 'Copies', dataType: { kind: 'int', min: 1, max: 3, step: null, unit: null } },
          { id: 'lines', name: 'Lines at the end', dataType: { kind: 'array', maxItems: 4, item: { kind: 'text', maxLength: 40 } } },
        ],
      },
    },
  ],
  services: [
    {
      id: 'printTest',
      name: 'Print test page',
      sync: false,
      input: [{ id: 'copies', name: 'Copies', dataType: { kind: 'int', min: 1, max: 5, step: null, unit: null } }],
      output: [{ id: 'printed', name: 'Printed', dataType: { kind: 'bool', yes: 'Yes', no: 'No' } }],
    },
  ],
  events: [{ id: 'paperOut', name: 'Paper out', level: 'warning', params: [{ id: 'at', name: 'At', dataType: { kind: 'date' } }] }],
};

export const products = [
  { code: 'MP-A20', name: 'Smart POS A20', category: 'smartPos', firm: 'Anchor Devices', versions: ['4.1.0', '4.2.0', '4.2.3'] },
  { code: 'MP-S5', name: 'Cloud Speaker S5', category: 'cloudSpeaker', firm: 'Anchor Devices', versions: ['1.8.2', '1.9.0'] },
  { code: 'MP-D10', name: 'Desk D10', category: 'smartDesktop', firm: 'Tidewater', versions: ['2.0.1', '2.1.0'] },
  { code: 'MP-M3', name: 'Pocket M3', category: 'mPos', firm: 'Tidewater', versions: ['3.3.0', '3.4.1'] },
] as const;

/** Groups of terminals; one that isn't by rule has every so many of the terminals in its range. */
export const groups = [
  { name: 'Pilot shops', at: 'Meridian Payments', every: 12, remark: 'Agreed to try new versions first' },
  { name: 'Flagship stores', at: 'Harbour Bank', every: 9, remark: '' },
  { name: 'Card readers on loan', at: 'Southern Cross Pay', every: 20, remark: 'Back in stock by the end of the season' },
  { name: 'Behind on firmware', at: 'productLine', rule: { behind: true }, remark: '' },
  { name: 'Still on 4.1.0', at: 'Region Europe', rule: { firmware: '4.1.0' }, remark: 'To be updated this quarter' },
  { name: 'In stock', at: 'Harbour Bank', rule: { status: '5' }, remark: '' },
] as const;

/** Organisations that repair the terminals of those below them. */
export const serviceDesks = ['Harbour Bank', 'Silk Road Acquiring', 'Southern Cross Pay'] as const;

interface Person {
  readonly account: string;
  readonly name: string;
  readonly role: string;
  readonly at: string;
  readonly userType: '1' | '2';
  readonly manager: boolean;
  /** Further organisations that they manage. */
  readonly manages?: readonly string[];
}

/** One person for each seeded role; `at` is where they belong. */
export const people: readonly Person[] = [
  { account: 'lina.line', name: 'Lina Park', role: 'productLineAdmin', at: 'productLine', userType: '1', manager: true },
  { account: 'mark.market', name: 'Mark Ohene', role: 'marketAdmin', at: 'productLine', userType: '1', manager: true },
  { account: 'rosa.region', name: 'Rosa Almeida', role: 'regionMaintainer', at: 'Region Europe', userType: '1', manager: false },
  {
    account: 'olga.manager',
    name: 'Olga Brandt',
    role: 'orgManager',
    at: 'Meridian Payments',
    userType: '1',
    manager: true,
    manages: ['Corner Shops Union'],
  },
  { account: 'hui.manager', name: 'Hui Zhang', role: 'orgManager', at: 'Harbour Bank', userType: '1', manager: true },
  { account: 'mia.member', name: 'Mia Lund', role: 'orgMember', at: 'Meridian Nordics', userType: '2', manager: false },
  { account: 'aud.auditor', name: 'Aud Nilsen', role: 'auditor', at: 'productLine', userType: '2', manager: false },
  { account: 'sam.signing', name: 'Sam Okafor', role: 'signingOfficer', at: 'Harbour Bank', userType: '2', manager: false },
  { account: 'kim.keys', name: 'Kim Castro', role: 'keyCustodian', at: 'productLine', userType: '2', manager: false },
];

export const DEVICES = 1950;
export const LIVE_TERMINALS = 50;
