import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../suite/processes.ts';
import { untriedAlerts } from './alert-cases.ts';

const read = (name: string) => readFileSync(join(root, 'packaging/monitoring', name), 'utf8');

test('every alert is tried where it fires and where it is silent', () => {
  expect(read('alerts.yml').match(/^ *- alert: /gm)?.length).toBeGreaterThan(10);
  expect(untriedAlerts(read('alerts.yml'), read('alerts.test.yml'))).toEqual([]);
});

test('one without a case is seen', () => {
  const rules = '      - alert: Down\n        expr: up == 0\n';
  const silent = '      - { eval_time: 55m, alertname: Down, exp_alerts: [] }\n';
  const fires = '      - eval_time: 70m\n        alertname: Down\n        exp_alerts:\n          - exp_labels: {}\n';
  expect(untriedAlerts(rules, silent + fires)).toEqual([]);
  expect(untriedAlerts(rules, silent)).toEqual(['Down fires']);
  expect(untriedAlerts(rules, fires)).toEqual(['Down is silent']);
});
