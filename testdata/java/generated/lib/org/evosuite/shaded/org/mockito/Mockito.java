package org.evosuite.shaded.org.mockito;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;

/** Mocks of interfaces, each with the answers of its one stubbed method. */
public class Mockito {
    public static <T> T mock(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Answers()));
    }

    public static <T> T any() {
        return null;
    }

    public static Stubber doReturn(Object... answers) {
        return new Stubber(answers);
    }

    public static final class Stubber {
        private final Object[] answers;

        Stubber(Object[] answers) {
            this.answers = answers;
        }

        public <T> T when(T mock) {
            ((Answers) Proxy.getInvocationHandler(mock)).next = answers;
            return mock;
        }
    }

    private static final class Answers implements InvocationHandler {
        private final Deque<Object> answers = new ArrayDeque<>();
        private Object[] next;

        @Override
        public Object invoke(Object mock, Method method, Object[] args) {
            if (next == null) {
                return answers.size() > 1 ? answers.poll() : answers.peek();
            }
            for (Object answer : next) {
                answers.add(answer);
            }
            next = null;
            return method.getReturnType() == int.class ? (Object) 0 : null;
        }
    }
}
