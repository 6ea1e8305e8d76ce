package org.evosuite.runtime;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface EvoRunnerParameters {
    boolean mockJVMNonDeterminism() default false;

    boolean useVFS() default false;

    boolean useVNET() default false;

    boolean resetStaticState() default false;

    boolean separateClassLoader() default false;
}
