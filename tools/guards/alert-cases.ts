/** Alerts of the rules file that are never seen to fire, or never seen to be silent. */
export function untriedAlerts(rules: string, cases: string): string[] {
  const one = /\beval_time: \w+,?\s+alertname: (\w+),?\s+exp_alerts:( \[\])?/g;
  const seen = new Set([...cases.matchAll(one)].map(([, name, silent]) => `${name} ${silent ? 'is silent' : 'fires'}`));
  return [...rules.matchAll(/^ *- alert: (\w+)$/gm)]
    .flatMap(([, name]) => [`${name} fires`, `${name} is silent`])
    .filter((wanted) => !seen.has(wanted));
}
