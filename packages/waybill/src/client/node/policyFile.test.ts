import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { parse } from 'yaml';
import { afterAll, describe, expect, it } from 'vitest';
import { rig } from '../../../../../test/support/client-rig.js';
import { checkPolicy, POLICY_FIELDS } from '../../wire/policy.js';
import { policyFile } from './policyFile.js';

const folder = mkdtempSync(join(tmpdir(), 'waybill-policy-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(text: string, name = 'policy.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
function errorOf(text: string, name?: string): string {
  try {
    policyFile(file(text, name));
    return 'none';
  } catch (error) {
    return (error as Error).message.replace(`${folder}/`, '');
  }
}

const YAML = `# what each server may know
default:
  location: never
  baggage: [tenant.id]
servers:
  https://crm.example.com: { location: city }
  "*.corp.example": { trace: never }
  npm:@scope/server: { language: ask }
`;

describe('a policy from a file', () => {
  it.each([
    ['YAML', YAML, 'policy.yaml'],
    ['JSON', JSON.stringify({ $schema: './policy.schema.json', ...(parse(YAML) as object) }), 'policy.json'],
  ])('may be %s', async (_, text, name) => {
    const { waybill } = rig({
      policy: policyFile(file(text, name)),
      environment: { location: { city: 'Vienna', country: 'AT' } },
      language: ['de'],
    });
    const message = { method: 'tools/call', params: { name: 'x' } };
    expect((await waybill.preview('https://crm.example.com/mcp', message)).withheld).toEqual([]);
    expect((await waybill.preview('https://else.example/mcp', message)).withheld).toEqual([
      { field: 'location', rule: 'default.location', level: 'never' },
    ]);
    expect((await waybill.preview('npm:@scope/server', message)).withheld).toMatchObject([
      { field: 'language', level: 'ask' },
      { field: 'location' },
    ]);
  });

  it.each([
    [
      'a misspelt field',
      'default:\n  language: never\n  tiemzone: never\n',
      'policy.yaml:3:3: default.tiemzone: unknown field; did you mean timezone?',
    ],
    [
      'a misspelt level',
      'servers:\n  https://crm.example.com:\n    location: citty\n',
      'policy.yaml:3:5: servers["https://crm.example.com"].location: expected one of always, ask, never, country, region, city, coordinates, got "citty"; did you mean city?',
    ],
    [
      'a wrong pattern',
      'servers:\n  "*corp.example": {}\n',
      'policy.yaml:2:3: servers["*corp.example"]: is no server pattern: expected *.domain, or a name whose last part is *; did you mean *.corp.example?',
    ],
    [
      'a misspelt level for a server whose long name begins like another',
      `servers:\n  https://${'long-'.repeat(8)}one.example: {}\n  https://${'long-'.repeat(8)}name.example:\n    location: citty\n`,
      /^policy\.yaml:4:5: servers\["https:\/\/long-.*name\.example"\]\.location: /,
    ],
    ['a misspelt member', 'defaults:\n  language: never\n', 'policy.yaml:1:1: defaults: unknown member; did you mean default?'],
    ['broken YAML', 'default:\n  language: [never\nservers: {}\n', /^policy\.yaml:3:\d+: /],
    ['a key twice', 'default: {}\ndefault: {}\n', /^policy\.yaml:2:1: /],
    ['an alias without an anchor', 'default: &a {}\nservers: { a.example: *b }\n', /^policy\.yaml:2:23: Unresolved alias/],
    ['more aliases than a policy needs', `default:\n  baggage: [&a x, ${'*a, '.repeat(101)}y]\n`, /^policy\.yaml:2:\d+: Excessive alias/],
    ['two documents', 'default: {}\n---\ndefault: {}\n', 'policy.yaml:2:1: expected one document'],
    ['an empty file', '', 'policy.yaml:1:1: expected default and servers'],
    ['a list', '- default\n', 'policy.yaml:1:1: expected default and servers'],
    ['null rules', 'default:\n', 'policy.yaml:1:1: default: expected an object'],
  ])('%s is an error with line and column', (_, text, message) => {
    if (typeof message === 'string') expect(errorOf(text)).toBe(message);
    else expect(errorOf(text)).toMatch(message);
  });

  it('broken JSON is an error with line and column', () => {
    expect(errorOf('{\n  "default": {\n    "language": "never",,\n  }\n}', 'policy.json')).toMatch(/^policy\.json:3:\d+: /);
  });

  it('a file that cannot be read is an error that names it', () => {
    expect(() => policyFile(join(folder, 'absent.yaml'))).toThrow(/^policyFile: .*absent\.yaml cannot be read: ENOENT/);
    expect(() => policyFile('')).toThrow('policyFile: expected a path');
  });
});

describe('the published schema', () => {
  const schema = JSON.parse(readFileSync(new URL('../../../policy.schema.json', import.meta.url), 'utf8')) as {
    $defs: { rules: { properties: object } };
  };
  const validate = new Ajv2020({ strict: true }).compile(schema);

  it('names every field, and no other', () => {
    expect(Object.keys(schema.$defs.rules.properties)).toEqual([...POLICY_FIELDS]);
  });

  it('accepts the policy of this guide', () => {
    expect(validate(parse(YAML))).toBe(true);
  });

  it('judges rules as the library does', () => {
    const level = fc.constantFrom<unknown>(
      'always',
      'ask',
      'never',
      'country',
      'city',
      'minimal',
      'sometimes',
      ['a'],
      [''],
      [1],
      null,
      true,
      {},
    );
    const rules = fc.dictionary(fc.constantFrom(...POLICY_FIELDS, 'shoes'), level, { maxKeys: 3 });
    const server = fc.constantFrom(
      'https://a.example',
      'shop',
      '*.corp.example',
      'npm:@scope/*',
      '*',
      '*corp.example',
      'a.*.b',
      ' shop',
      '',
      'https://*.a.example',
    );
    const policy = fc.record(
      { default: rules, servers: fc.dictionary(server, rules, { maxKeys: 2 }), extra: fc.constant({}) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(policy, (given) => {
        let isRight = true;
        try {
          checkPolicy(given);
        } catch {
          isRight = false;
        }
        expect(validate(given)).toBe(isRight);
      }),
      { numRuns: 1000 },
    );
  });
});
