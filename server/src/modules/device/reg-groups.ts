import { regCalls } from '@mooring/contract/device/reg-calls';

const { rules, ruleAdd, ruleUpdate, ruleDelete, ruleExport, ...withFactories } = regCalls;
export const ruleCalls = { page: rules, add: ruleAdd, update: ruleUpdate, delete: ruleDelete, export: ruleExport };

const { factories, factoryAdd, factoryUpdate, factoryDelete, factoryExport, ...others } = withFactories;
export const factoryCalls = { page: factories, add: factoryAdd, update: factoryUpdate, delete: factoryDelete, export: factoryExport };

/** What is no plain row. */
export const enrolCalls = others;
