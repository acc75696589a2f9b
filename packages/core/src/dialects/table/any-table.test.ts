import { describeTables } from '@dragoman/testkit';

describeTables();
