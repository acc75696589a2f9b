import { checkRequest, type RequestCheck } from '@dragoman/openresponses-client';

/** The four things that servers of OpenResponses refuse most, by the names that people look them up under. */
const names: Readonly<Record<RequestCheck, string>> = {
  types: 'type discriminators',
  content: 'content types',
  tools: 'flat tools',
  fields: 'required fields',
};

/** What the four checks say of a request, one line for each: `fine`, or every fault with its place and its cure. */
export function describeChecks(request: unknown): string {
  const findings = checkRequest(request);
  return Object.entries(names)
    .map(([check, name]) => {
      const faults = findings.filter((finding) => finding.check === check);
      const said = faults.map(({ path, problem }) => `${path} ${problem}`).join(' ');
      return `${name}: ${said === '' ? 'fine' : said}`;
    })
    .join('\n');
}
