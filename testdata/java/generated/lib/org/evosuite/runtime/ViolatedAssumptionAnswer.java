package org.evosuite.runtime;

public class ViolatedAssumptionAnswer {
}
